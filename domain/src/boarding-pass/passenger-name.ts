import { spelledWords } from "../travel-document/spelling.ts";

/** Of a name nothing of which can be written in A to Z. */
const NO_NAME = "PASSENGER";
/** "Vincent van Gogh", "Charles de Gaulle": a word in small letters before the last belongs to the family's name. */
const PARTICLE = /^\p{Ll}[\p{Ll}'’]*$/u;

/** "Dr. Ada Lovelace": no travel document has it. */
const TITLE = /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|rev)\.?$/iu;
/** "Martin Luther King, Jr.": follows the surname. */
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

/** ELOT 743, letter by letter; marks are left out. ICAO 9303 has no table for Greek. */
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

/** Two letters for one sound. */
const GREEK_U = /[οόΟΌ][υύΥΎ]/gu;

/**
 * A text in the letters A to Z and single spaces, as passports write it (ICAO 9303-3, section 6), with all that is no
 * letter as a space. Letters of scripts without a table are left out.
 */
export function transliterate(text: string): string {
  const words = text
    .normalize("NFKC")
    .replace(GREEK_U, "OU")
    .split(/[^\p{L}\p{M}'’.]+/u);
  const written = words.map((word) => Array.from(word, lettersOf).join(""));
  return written.filter((word) => word !== "").join(" ");
}

function lettersOf(character: string): string {
  const [word] = spelledWords(character) ?? [];
  if (word !== undefined) return word.map(([recommended = ""]) => recommended).join("");
  const [letter = ""] = character.normalize("NFD").toUpperCase();
  return GREEK[letter] ?? "";
}
