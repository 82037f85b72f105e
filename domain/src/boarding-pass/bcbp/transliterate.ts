import { spelledWords } from "../../travel-document/names/transliteration.ts";

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
