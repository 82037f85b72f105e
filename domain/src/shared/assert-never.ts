/** Marks a branch the types rule out; reached only when stored data is of a kind this version does not know. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
