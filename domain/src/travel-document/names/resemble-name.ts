import type { MachineReadableZone } from "../reading.ts";
import { spelledWords } from "./transliteration.ts";

/** So many of a word's letters may be misread. */
const MOST_MISREAD = 1 / 3;
/** A shorter word is found anywhere. */
const SHORTEST_WORD = 3;

/**
 * Whether a name that was read from a picture may be the passenger's, letters and fillers taken for others: one word
 * of it is there, more or less. No check digit covers names.
 */
export function resemblesName(
  passengerName: string,
  { surname, givenNames }: Pick<MachineReadableZone, "surname" | "givenNames">,
): boolean {
  const words = spelledWords(passengerName);
  if (words === undefined) return true;
  const read = [...surname, ...givenNames].join("");
  const spelled = words.map((word) => word.map(([usual = ""]) => usual).join(""));
  const long = spelled.filter(({ length }) => length >= SHORTEST_WORD);
  return long.length === 0 || long.some((word) => leastDistance(word, read) <= MOST_MISREAD * word.length);
}

/** How many letters differ at the place of the text that is most like the word (Sellers' algorithm). */
function leastDistance(word: string, text: string): number {
  let row = new Array<number>(text.length + 1).fill(0);
  for (let index = 0; index < word.length; index += 1) {
    const next = [index + 1];
    for (let place = 0; place < text.length; place += 1) {
      const changed = (row[place] ?? 0) + (word[index] === text[place] ? 0 : 1);
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(...row);
}
