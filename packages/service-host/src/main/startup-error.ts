/** Why the service can't start, where an operator can mend it. The message is one line: what is wrong, and what to do. */
export class StartupError extends Error {
  override readonly name = "StartUpFault";
}
