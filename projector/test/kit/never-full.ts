/** For a fold of few, small documents. */
export async function neverFull(): Promise<void> {
  throw new Error("the fold is full");
}
