/** What the log says must never be. */
export class InvariantViolation extends Error {
  override readonly name = "InvariantViolation";
}

/** @throws Violation the claim does not hold. */
export function invariant(claim: boolean, message: string): asserts claim {
  if (!claim) throw new InvariantViolation(message);
}
