/** Spellings of a letter in a machine-readable zone, the recommended one first. */
type LetterSpellings = readonly string[];

/**
 * ICAO 9303-3, section 6: letters that are more than a letter of A to Z with marks. Issuers differ, so the table has
 * every spelling in use. Other Latin letters lose their marks.
 */
const LETTER_SPELLINGS: Readonly<Record<string, LetterSpellings>> = {
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
  Ќ: ["K"],
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
  Џ: ["DZ"],
  Ш: ["SH", "S"],
  Щ: ["SHCH", "SHT"],
  Ъ: ["IE", ""],
  Ы: ["Y"],
  Ь: [""],
  Э: ["E"],
  Ю: ["IU"],
  Я: ["IA"],
};

const LETTER_WITH_MARKS = /^([A-Z])\p{M}*$/u;
const LEFT_OUT = /^[\p{M}'’‘ʼʻ`´.·]$/u;
const IS_LETTER = /^\p{L}$/u;

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
    const ways = spellingsOf(character);
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

function spellingsOf(character: string): LetterSpellings | undefined {
  if (Object.hasOwn(LETTER_SPELLINGS, character)) return LETTER_SPELLINGS[character];
  const [, letter] = LETTER_WITH_MARKS.exec(character.normalize("NFD")) ?? [];
  return letter === undefined ? undefined : [letter];
}

/** Whether a text of letters A to Z is this word in any spelling. */
export function isWord(text: string, word: SpelledWord): boolean {
  return endsOf(text, word).has(text.length);
}

/** Whether the text is the word's beginning or the whole word. */
export function beginsWord(text: string, word: SpelledWord): boolean {
  let ends: ReadonlySet<number> = new Set([0]);
  for (const ways of word) {
    if (ends.has(text.length)) return true;
    for (const end of ends) if (ways.some((way) => way.startsWith(text.slice(end)))) return true;
    ends = step(text, ends, ways);
  }
  return ends.has(text.length);
}

/** The possible ends of the word in the text: a set avoids a search through all spellings, which may be many. */
function endsOf(text: string, word: SpelledWord): ReadonlySet<number> {
  let ends: ReadonlySet<number> = new Set([0]);
  for (const ways of word) ends = step(text, ends, ways);
  return ends;
}

function step(text: string, from: ReadonlySet<number>, ways: readonly string[]): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const start of from) {
    for (const way of ways) if (text.startsWith(way, start)) ends.add(start + way.length);
  }
  return ends;
}
