/** The service can't run until an operator mends something. The message says in a line what is wrong and what to do. */
export class StartupError extends Error {
  override readonly name: string = "StartupError";
}
