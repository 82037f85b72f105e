import { wordsOf } from "./match-name.ts";
import type { MachineReadableZone } from "./reading.ts";

/** Maximum fraction of misread letters in a word. */
const MOST_MISREAD = 1 / 3;
/** A shorter word would match almost any text, so it is no evidence. */
const SHORTEST_WORD = 3;

/**
 * Whether a name from a picture may be the passenger's, despite misread letters and fillers. At least one word roughly
 * matches, or the names can't be compared. No check digit covers names.
 */
export function resemblesName(
  passengerName: string,
  names: Pick<MachineReadableZone, "surname" | "givenNames">,
): boolean {
  const words = wordsOf(passengerName, names);
  if (words === undefined) return true;
  const read = [...names.surname, ...names.givenNames].join("");
  const spelled = words.map((word) => word.map(([usual = ""]) => usual).join(""));
  const long = spelled.filter(({ length }) => length >= SHORTEST_WORD);
  return long.length === 0 || long.some((word) => leastDistance(word, read) <= MOST_MISREAD * word.length);
}

/** The edit distance between the word and the most similar part of the text (Sellers' algorithm). */
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
