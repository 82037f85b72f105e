/** The known name nearest to a wrong one; undefined if none is near. Case, hyphens and underscores don't count. */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  const plain = plainly(wrong);
  let [nearest, least] = [undefined as string | undefined, Math.floor(plain.length / 4) + 1];
  if (plain === "" || plain.length > MAX_LENGTH) return undefined;
  for (const name of known) {
    const distance = distanceOf(plain, plainly(name));
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** No name of the API is longer. */
const MAX_LENGTH = 32;

const plainly = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, "");

/** How many characters must be added, removed or replaced (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] as number) + (one[at - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
