/** A field of what was thrown. Within Jest, what Node throws is no `Error` of the test's own world. */
export function fieldOf(failure: unknown, name: string): unknown {
  return typeof failure === "object" && failure !== null ? Reflect.get(failure, name) : undefined;
}
