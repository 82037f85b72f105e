// Han, kana, hangul and full-width forms are about twice as wide as a letter.
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}]/u;

/** How wide a text is, in letters of a usual width. */
function textWidth(text: string): number {
  let letters = 0;
  for (const character of text) letters += WIDE.test(character) ? 2 : 1;
  return letters;
}

/** The class for a text that is to fit into its place: the first whose limit it does not exceed, else the last. */
export function sizeClass(text: string, limits: readonly number[]): string {
  const letters = textWidth(text);
  const size = limits.findIndex((limit) => letters <= limit);
  return `size-${size < 0 ? limits.length : size}`;
}
