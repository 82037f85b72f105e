import { binarize } from "./binarize.ts";
import { connectedComponents } from "./connected-components.ts";
import type { GreyImage } from "./grey-image.ts";
import { type LetterBox, letterBoxOf, type TextLine, textLinesOf } from "./text-lines.ts";

/** In heights of a capital letter: what is lower is a speck. */
const LOWEST = 0.4;
const TALLEST = 1.6;
/** In pitches: what is wider is two letters that touch. */
const WIDEST = 1.35;
/** In pitches: the middle of a letter is so far from that of its place at most. */
const MOST_OFF_PLACE = 0.4;
/** In heights: the middle of a letter is so far from the line at most. */
const MOST_OFF_LINE = 0.4;

/** Of the longest line: a shorter one is another kind of line. */
const LEAST_OF_LONGEST = 0.8;

export const FILLER_CELL = "<";
export const LETTER_CELL = "A";
export const UNKNOWN_CELL = "?";
export const EMPTY_CELL = " ";

/**
 * Which places of each line are fillers, by their shape alone: `<`, `A` for anything else, `?` where one cannot tell,
 * and a space where nothing is. What a reader of plain text takes a filler for is found out by it. Where a line may be
 * longer than it was seen, it is there both ways.
 * @param picture a zone whose lines lie level.
 * @param letterHeight pixels of a capital letter.
 */
export function characterCells(picture: GreyImage, letterHeight: number): readonly string[] {
  const { width, height } = picture;
  const ink = binarize(picture, Math.ceil(letterHeight));
  const letters = (connectedComponents(ink, width, height) ?? [])
    .map(letterBoxOf)
    .filter((letter) => letter.height >= letterHeight * LOWEST && letter.height <= letterHeight * TALLEST);
  const rows = textLinesOf(letters).toSorted((one, other) => one.level - other.level);
  const shape = (letter: LetterBox) => shapeOf(ink, width, letter);
  return [...new Set([...rows, ...extendedToLongest(rows)].map((row) => cellsOf(row, letters, shape)))];
}

/** The lines of a zone begin and end together: a letter that was not seen is to be looked for in its place. */
function extendedToLongest(rows: readonly TextLine[]): readonly TextLine[] {
  const longest = Math.max(...rows.map(({ from, to }) => to - from));
  const long = rows.filter(({ from, to }) => to - from >= longest * LEAST_OF_LONGEST);
  const from = Math.min(...long.map((row) => row.from));
  const to = Math.max(...long.map((row) => row.to));
  return long.map((row) => ({ ...row, from, to }));
}

function cellsOf(row: TextLine, letters: readonly LetterBox[], shape: (letter: LetterBox) => string): string {
  const last = Math.round((row.to - row.from) / row.pitch);
  const pitch = (row.to - row.from) / last;
  const places = new Array<string | undefined>(last + 1).fill(undefined);
  for (const letter of letters) {
    if (Math.abs(letter.y - (row.level + row.slope * letter.x)) > row.height * MOST_OFF_LINE) continue;
    const at = (letter.x - row.from) / pitch;
    const place = Math.round(at);
    if (place < 0 || place > last) continue;
    const isAlone = places[place] === undefined;
    const fits = letter.width <= pitch * WIDEST && Math.abs(at - place) <= MOST_OFF_PLACE;
    places[place] = isAlone && fits ? shape(letter) : UNKNOWN_CELL;
  }
  return places.map((place) => place ?? EMPTY_CELL).join("");
}

// In parts of a letter's box, from its upper left corner.
const UPPER_ARM = [0.1, 0.35] as const;
const LOWER_ARM = [0.65, 0.9] as const;
const TIP = [0.4, 0.6] as const;
const ARMS_BEGIN_BEHIND = 0.22;
/** The roundest letters begin before this. */
const LETTERS_BEGIN_BEFORE = 0.15;
const TIP_BEGINS_BEFORE = 0.25;
const TIP_ENDS_BEFORE = 0.75;

/** A filler's tip is at the left, halfway up, and its arms are at the right: no letter is like that. */
function shapeOf(ink: Uint8Array, width: number, letter: LetterBox): string {
  const arms = Math.min(inkIn(ink, width, letter, UPPER_ARM)[0], inkIn(ink, width, letter, LOWER_ARM)[0]);
  if (arms < LETTERS_BEGIN_BEFORE) return LETTER_CELL;
  const [first, last] = inkIn(ink, width, letter, TIP);
  const isFiller = arms >= ARMS_BEGIN_BEHIND && first <= TIP_BEGINS_BEFORE && last <= TIP_ENDS_BEFORE;
  return isFiller ? FILLER_CELL : UNKNOWN_CELL;
}

/** Where ink begins and ends between these parts of the letter's height, on average, in parts of its width. */
function inkIn(
  ink: Uint8Array,
  width: number,
  letter: LetterBox,
  [from, to]: readonly [number, number],
): readonly [number, number] {
  const left = Math.round(letter.x - (letter.width - 1) / 2);
  const top = Math.round(letter.y - (letter.height - 1) / 2);
  const firstRow = Math.round(top + from * (letter.height - 1));
  const lastRow = Math.round(top + to * (letter.height - 1));
  let [begins, ends] = [0, 0];
  for (let row = firstRow; row <= lastRow; row += 1) {
    const own = ink.subarray(row * width + left, row * width + left + letter.width);
    const first = own.indexOf(1);
    begins += first === -1 ? letter.width : first;
    ends += own.lastIndexOf(1) + 1;
  }
  const rows = lastRow - firstRow + 1;
  return [begins / rows / letter.width, ends / rows / letter.width];
}
