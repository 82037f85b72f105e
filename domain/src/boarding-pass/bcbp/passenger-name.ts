import { transliterate } from "./transliterate.ts";

/** Of a name nothing of which can be written in A to Z. */
const NO_NAME = "PASSENGER";
/** "Vincent van Gogh", "Charles de Gaulle": a word in small letters before the last belongs to the family's name. */
const PARTICLE = /^\p{Ll}[\p{Ll}'’]*$/u;

/** "Dr. Ada Lovelace": no travel document has it. */
const TITLE = /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|rev)\.?$/iu;
/** "Martin Luther King, Jr.": stands with the surname. */
const SUFFIX = /^(?:jr|sr|ii|iii|iv|esq|md|phd)\.?$/iu;
/** A given name and a surname: what looks like a title or a suffix beside less than these is a name itself. */
const LEAST_WORDS = 2;

/**
 * A passenger's name as a barcode has it, `SURNAME/GIVEN NAMES` in A to Z: the last word is taken for the surname, with
 * the small words before it and a suffix behind it; titles are left out. Cut to `width` characters: first the given
 * names, of which one letter stays, then the surname.
 */
export function passengerNameOf(fullName: string, width: number): string {
  const words = withoutTitles(fullName.trim().split(/\s+/));
  let first = words.length - 1;
  while (first >= LEAST_WORDS && SUFFIX.test(words[first] ?? "")) first -= 1;
  while (first > 1 && PARTICLE.test(words[first - 1] ?? "")) first -= 1;
  const surname = transliterate(words.slice(first).join(" "));
  const given = transliterate(words.slice(0, first).join(" "));
  if (surname === "" || given === "") return (surname || given || NO_NAME).slice(0, width).trimEnd();
  const room = width - "/X".length;
  const kept = surname.slice(0, room).trimEnd();
  return `${kept}/${given}`.slice(0, width).trimEnd();
}

function withoutTitles(words: readonly string[]): readonly string[] {
  let first = 0;
  while (words.length - first > LEAST_WORDS && TITLE.test(words[first] ?? "")) first += 1;
  return words.slice(first);
}
