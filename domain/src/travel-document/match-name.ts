import type { MachineReadableZone } from "./reading.ts";
import { beginsWord, isWord, type SpelledWord, spelledWords } from "./spelling.ts";

/** `doubtful`: a person must decide. */
type NameMatch = "same" | "doubtful" | "other";

type Names = Pick<MachineReadableZone, "surname" | "givenNames" | "namesCutOff">;
type Words = readonly SpelledWord[];

const TITLES = ["MR", "MRS", "MS", "MISS", "MX", "DR", "PROF", "SIR", "DAME", "LADY", "LORD", "REV"];
const BEST_FIRST: readonly NameMatch[] = ["same", "doubtful", "other"];

/**
 * Whether a passenger's name, in any order and spelling, matches a machine-readable zone. The name needs the whole
 * surname and at least one given name; a passenger may omit further given names, but not add any. If the zone cut names
 * off, the match accepts the missing part.
 */
export function matchName(passengerName: string, names: Names): NameMatch {
  const all = spelledWords(passengerName);
  if (all === undefined) return "doubtful";
  const words = withoutTitle(all);
  const surname = names.surname.join("");
  if (words.length === 0 || surname === "") return "other";
  let best: NameMatch = sharesParts(words, names) ? "doubtful" : "other";
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= words.length; to += 1) {
      if (!isSurname(surname, words.slice(from, to).flat(), names)) continue;
      const found = matchGivenNames([...words.slice(0, from), ...words.slice(to)], names);
      if (BEST_FIRST.indexOf(found) < BEST_FIRST.indexOf(best)) best = found;
    }
  }
  return best;
}

/** Names may be joined or split: only the sequence of letters matters. */
function isSurname(surname: string, word: SpelledWord, { givenNames, namesCutOff }: Names): boolean {
  return namesCutOff && givenNames.length === 0 ? beginsWord(surname, word) : isWord(surname, word);
}

function matchGivenNames(words: Words, { givenNames, namesCutOff }: Names): NameMatch {
  if (givenNames.length === 0) return words.length === 0 ? "same" : "doubtful";
  if (words.length === 0) return "doubtful";
  if (isBeginning(words.flat(), givenNames)) return "same";
  const left = [...givenNames.keys()];
  const unmatched = words.filter((word) => {
    const place = left.findIndex((index) => {
      const given = givenNames[index] ?? "";
      const isLast = index === givenNames.length - 1;
      return isWord(given, word) || (namesCutOff && isLast && beginsWord(given, word));
    });
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
  if (unmatched.length === words.length) return "other";
  return unmatched.length === 0 || namesCutOff ? "same" : "doubtful";
}

/** Whether the word consists of the first given names, joined or not. */
function isBeginning(word: SpelledWord, givenNames: readonly string[]): boolean {
  return givenNames.some((_, index) => isWord(givenNames.slice(0, index + 1).join(""), word));
}

function sharesParts(words: Words, { surname, givenNames }: Names): boolean {
  const isThere = (part: string) => words.some((word) => isWord(part, word));
  return surname.some(isThere) && givenNames.some(isThere);
}

function withoutTitle(words: Words): Words {
  const [first, ...others] = words;
  const isTitle = first !== undefined && TITLES.some((title) => isWord(title, first));
  return isTitle && others.length > 1 ? others : words;
}

/** Maximum fraction of misread letters in a word. */
const MOST_MISREAD = 1 / 3;
/** A shorter word would match almost any text, so it is no evidence. */
const SHORTEST_WORD = 3;

/**
 * Whether a name from a picture may be the passenger's, despite misread letters and fillers: at least one word of it
 * roughly matches. No check digit covers names.
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

/** Whether two spellings are one name as a person wrote it: letter case, accents' encoding and spaces make no difference. */
export function samePersonName(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}
