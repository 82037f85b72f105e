/** What the log says must never be. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** @throws Violation the claim does not hold. */
export function must(claim: boolean, message: string): asserts claim {
  if (!claim) throw new Violation(message);
}
