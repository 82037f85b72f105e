/** Spellings of a letter in a machine-readable zone, the recommended one first. */
type LetterSpellings = readonly string[];

/**
 * Letters that are more than one of A to Z with marks (ICAO 9303-3, section 6). Issuers differ, so the table has every
 * spelling in use. Other Latin letters lose their marks.
 */
export const LETTER_SPELLINGS: Readonly<Record<string, LetterSpellings>> = {
  Ä: ["AE", "A"],
  Å: ["AA", "A"],
  Æ: ["AE"],
  Đ: ["D"],
  Ð: ["D"],
  Ñ: ["N", "NXX"],
  Ö: ["OE", "O"],
  Ø: ["OE", "O"],
  Œ: ["OE"],
  Ü: ["UE", "UXX", "U"],
  Þ: ["TH"],
  ẞ: ["SS"],
  Ĳ: ["IJ"],
  Ŋ: ["N"],
  Ħ: ["H"],
  Ł: ["L"],
  Ŧ: ["T"],
  Ə: ["E"],
  ĸ: ["Q"],
  А: ["A"],
  Б: ["B"],
  В: ["V"],
  Г: ["G", "H"],
  Ґ: ["G"],
  Д: ["D"],
  Ђ: ["D"],
  Ѓ: ["G"],
  Е: ["E"],
  Ё: ["E", "IO"],
  Є: ["IE"],
  Ж: ["ZH", "Z"],
  З: ["Z"],
  Ѕ: ["DZ"],
  И: ["I", "Y"],
  І: ["I"],
  Ї: ["I"],
  Й: ["I"],
  Ј: ["J"],
  К: ["K"],
  Ќ: ["K", "KJ"],
  Л: ["L"],
  Љ: ["LJ"],
  М: ["M"],
  Н: ["N"],
  Њ: ["NJ"],
  О: ["O"],
  П: ["P"],
  Р: ["R"],
  С: ["S"],
  Т: ["T"],
  Ћ: ["C"],
  У: ["U"],
  Ў: ["U"],
  Ф: ["F"],
  Х: ["KH", "H"],
  Ц: ["TS", "C"],
  Ч: ["CH", "C"],
  Џ: ["DZ", "DJ"],
  Ш: ["SH", "S"],
  Щ: ["SHCH", "SHT"],
  Ъ: ["IE", ""],
  Ы: ["Y"],
  Ь: [""],
  Э: ["E"],
  Ю: ["IU"],
  Я: ["IA"],
};

/** From the same table: Ukrainian spells these letters differently at the start of a word. */
const INITIAL_SPELLINGS: Readonly<Record<string, LetterSpellings>> = {
  Є: ["IE", "YE"],
  Ї: ["I", "YI"],
  Й: ["I", "Y"],
  Ю: ["IU", "YU"],
  Я: ["IA", "YA"],
};

const LETTER_WITH_MARKS = /^([A-Z])\p{M}*$/u;
const LEFT_OUT = /^[\p{M}'’‘ʼʻ`´.·]$/u;
const IS_LETTER = /^\p{L}$/u;

/** Unicode counts modifiers as letters, such as the apostrophe in Oʻzbek. */
const OTHER_LETTER = /(?![A-Z]|\p{Lm})\p{L}/u;

/** A word in a machine-readable zone: the spellings of each letter. */
export type SpelledWord = readonly LetterSpellings[];

/**
 * The words of a name. Apostrophes and full stops disappear; every other non-letter separates words (ICAO 9303-3,
 * section 4.6). Undefined if no known rule spells a letter with A to Z.
 */
export function spelledWords(name: string): readonly SpelledWord[] | undefined {
  const words: LetterSpellings[][] = [];
  let word: LetterSpellings[] | undefined;
  for (const character of name.normalize("NFC").replaceAll("ß", "ẞ").toUpperCase().normalize("NFC")) {
    const ways = spellingsOf(character, word === undefined);
    if (ways !== undefined) {
      if (word === undefined) {
        word = [];
        words.push(word);
      }
      word.push(ways);
    } else if (IS_LETTER.test(character)) return undefined;
    else if (!LEFT_OUT.test(character)) word = undefined;
  }
  return words;
}

function spellingsOf(character: string, isInitial: boolean): LetterSpellings | undefined {
  if (isInitial && Object.hasOwn(INITIAL_SPELLINGS, character)) return INITIAL_SPELLINGS[character];
  if (Object.hasOwn(LETTER_SPELLINGS, character)) return LETTER_SPELLINGS[character];
  const [, letter] = LETTER_WITH_MARKS.exec(character.normalize("NFD")) ?? [];
  return letter === undefined ? undefined : [letter];
}

/**
 * Whether all letters of a name are A to Z, with or without marks. States may spell any other letter in a way that no
 * table has.
 */
export function isOfPlainLetters(name: string): boolean {
  return !OTHER_LETTER.test(name.normalize("NFD").toUpperCase());
}

/** Reads spellings of letters with marks, such as Ö and Ñ, as the letters alone. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/A[AE]|OE|U(?:E|XX)|NXX/g, ([letter = ""]) => letter);
}

/** Places in a text that words may have reached. The bits of a place say which of several beginnings led there. */
export type Places = readonly number[];

/** Only the start of the text, with these bits. */
export function startOf(text: string, bits: number): Places {
  return [bits, ...new Array<number>(text.length).fill(0)];
}

export function union(one: Places, other: Places): Places {
  return one.map((bits, at) => bits | (other[at] ?? 0));
}

/**
 * The places after a word that begins at one of these, in any of its spellings.
 * @param ends places where the text may have cut the word off, after at least one letter of it.
 */
export function placesBehind(text: string, from: Places, word: SpelledWord, ends?: ReadonlySet<number>): Places {
  const cutOff = [...startOf(text, 0)];
  let places = from;
  for (const ways of word) {
    const next = [...startOf(text, 0)];
    for (const [at, bits] of places.entries()) {
      if (bits === 0) continue;
      for (const way of ways) {
        const end = at + way.length;
        if (!text.startsWith(way, at)) continue;
        next[end] = (next[end] ?? 0) | bits;
        if (end > at && ends?.has(end) === true) cutOff[end] = (cutOff[end] ?? 0) | bits;
      }
    }
    places = next;
  }
  return ends === undefined ? places : union(places, cutOff);
}

/** Whether a text of letters A to Z is this word in any spelling. */
export function isWord(text: string, word: SpelledWord): boolean {
  return placesBehind(text, startOf(text, 1), word)[text.length] !== 0;
}

/** Whether the text is the word's beginning or the whole word. */
export function beginsWord(text: string, word: SpelledWord): boolean {
  return placesBehind(text, startOf(text, 1), word, new Set([text.length]))[text.length] !== 0;
}
