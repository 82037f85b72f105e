import { ERASED_WORDS } from "../personal-data/words.ts";
import { spelledWords } from "../travel-document/spelling.ts";

/** Stands for a name of which nothing can be written in A to Z. */
const NO_NAME = "PASSENGER";
/** "Vincent van Gogh", "Charles de Gaulle": a lower-case word before the last one belongs to the surname. */
const PARTICLE = /^\p{Ll}[\p{Ll}'’]*$/u;

/** "Dr. Ada Lovelace": travel documents have no titles. */
const TITLE = /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|rev)\.?$/iu;
/** "Martin Luther King, Jr.": follows the surname. */
const SUFFIX = /^(?:jr|sr|ii|iii|iv|esq|md|phd)\.?$/iu;
/** A given name and a surname. With fewer words left, an apparent title or suffix is a name itself. */
const LEAST_WORDS = 2;

/** Spells a text of any script in ASCII, in any letter case. */
export type Romanize = (text: string) => string;

/** Surname and given names, as the traveller writes them. */
type NameParts = readonly [surname: string, given: string];

/**
 * A passenger's name in a barcode, `SURNAME/GIVEN NAMES` in A to Z (docs/rules.md#boarding-passes). Cut to `width`
 * characters: first the given names, of which one letter stays, then the surname.
 * @param zoneName `SURNAME/GIVEN NAMES` of the verified passport; absent or erased: the name is spelled here.
 */
export function passengerNameOf(
  { passengerName, zoneName }: { readonly passengerName: string; readonly zoneName?: string | undefined },
  width: number,
  romanize: Romanize,
): string {
  const isRead = zoneName !== undefined && zoneName !== ERASED_WORDS.text;
  const parts: readonly string[] = isRead ? zoneName.split("/") : partsOf(passengerName);
  const [surname = "", given = ""] = parts.map((part) => transliterate(part, romanize, width));
  if (surname === "" || given === "") return (surname || given || NO_NAME).slice(0, width).trimEnd();
  const room = width - "/X".length;
  const kept = surname.slice(0, room).trimEnd();
  return `${kept}/${given}`.slice(0, width).trimEnd();
}

/** Chinese and Korean names, and Japanese ones in kanji, put the surname first. Katakana is for foreign names. */
const SURNAME_FIRST = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}々\s\u3000]+$/u;
/** "山田太郎": without a space, a name of four characters has a surname of two; a shorter one has a surname of one. */
const LONG_NAME = 4;

/** The last word is the surname, with the lower-case words before it and a suffix after it. Titles are left out. */
function partsOf(fullName: string): NameParts {
  const name = fullName.normalize("NFKC").trim();
  if (SURNAME_FIRST.test(name)) {
    const [surname = "", ...given] = name.replace(/(.)々/gu, "$1$1").split(/\s+/);
    if (given.length > 0) return [surname, given.join(" ")];
    const characters = Array.from(surname);
    const end = characters.length < LONG_NAME ? 1 : 2;
    return [characters.slice(0, end).join(""), characters.slice(end).join("")];
  }
  const words = withoutTitles(name.split(/\s+/));
  let first = words.length - 1;
  while (first >= LEAST_WORDS && SUFFIX.test(words[first] ?? "")) first -= 1;
  while (first > 1 && PARTICLE.test(words[first - 1] ?? "")) first -= 1;
  return [words.slice(first).join(" "), words.slice(0, first).join(" ")];
}

function withoutTitles(words: readonly string[]): readonly string[] {
  let first = 0;
  while (words.length - first > LEAST_WORDS && TITLE.test(words[first] ?? "")) first += 1;
  return words.slice(first);
}

/** Greek letters by ELOT 743; marks are left out. ICAO 9303 has no table for Greek. */
const GREEK: Readonly<Record<string, string>> = {
  Α: "A",
  Β: "V",
  Γ: "G",
  Δ: "D",
  Ε: "E",
  Ζ: "Z",
  Η: "I",
  Θ: "TH",
  Ι: "I",
  Κ: "K",
  Λ: "L",
  Μ: "M",
  Ν: "N",
  Ξ: "X",
  Ο: "O",
  Π: "P",
  Ρ: "R",
  Σ: "S",
  Τ: "T",
  Υ: "Y",
  Φ: "F",
  Χ: "CH",
  Ψ: "PS",
  Ω: "O",
};

/** Arabic alif and ain (ICAO 9303-3, section 6.C), and their Hebrew counterparts. Phonetic libraries leave them out. */
const SILENT: Readonly<Record<string, string>> = { ا: "A", ع: "E", א: "A", ע: "E" };

/** Two letters for one sound. */
const GREEK_U = /[οόΟΌ][υύΥΎ]/gu;

/**
 * A text in the letters A to Z and single spaces, as passports write it (ICAO 9303-3, section 6). Everything that is no
 * letter becomes a space. `romanize` spells letters of scripts without a table.
 * @param enough letters after which reading stops.
 */
export function transliterate(text: string, romanize: Romanize, enough = Number.POSITIVE_INFINITY): string {
  const words = text
    .normalize("NFKC")
    .replace(GREEK_U, "OU")
    .split(/[^\p{L}\p{M}'’.]+/u);
  let written = "";
  for (const word of words) {
    let gap = written === "" ? "" : " ";
    for (const character of word) {
      if (written.length >= enough) return written;
      const letters = lettersOf(character, romanize);
      if (letters === "") continue;
      written += `${gap}${letters}`;
      gap = "";
    }
  }
  return written;
}

function lettersOf(character: string, romanize: Romanize): string {
  const [word] = spelledWords(character) ?? [];
  if (word !== undefined) return word.map(([recommended = ""]) => recommended).join("");
  const [letter = ""] = character.normalize("NFD").toUpperCase();
  return (
    GREEK[letter] ??
    SILENT[letter] ??
    romanize(character)
      .toUpperCase()
      .replaceAll(/[^A-Z]/g, "")
  );
}
