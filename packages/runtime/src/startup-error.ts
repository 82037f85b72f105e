/** The service can't start or go on, and an operator can mend that. The message says in a line what is wrong, and what to do. */
export class StartupError extends Error {
  override readonly name: string = "StartupError";
}
