import type { MachineReadableZone } from "@travel-booking/domain";
import type { GreyImage } from "./grey-image.ts";
import { binarize, connectedComponents } from "./ink.ts";
import { type LetterBox, letterBoxOf, type TextLine, textLinesOf } from "./text-lines.ts";

/** In heights of a capital letter. Anything lower is a speck. */
const LOWEST = 0.4;
const TALLEST = 1.6;
/** In pitches. Anything wider is two touching letters. */
const WIDEST = 1.35;
/** In pitches: maximum distance between the middle of a letter and the middle of its cell. */
const MOST_OFF_PLACE = 0.4;
/** In heights: maximum distance between the middle of a letter and the line. */
const MOST_OFF_LINE = 0.4;

/** Fraction of the longest line. A shorter line is of another kind. */
const LEAST_OF_LONGEST = 0.8;

const FILLER_CELL = "<";
const LETTER_CELL = "A";
const UNKNOWN_CELL = "?";
const EMPTY_CELL = " ";

/**
 * Classifies each cell of each line by shape alone: `<` for a filler, `A` for anything else, `?` if unclear, and a
 * space for an empty cell. The shapes expose fillers that OCR misread. A line that may be longer than detected appears
 * in both lengths.
 * @param picture a zone with level lines.
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

/** Extends each line to the common start and end of a zone's lines, to find letters that detection missed. */
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

// In fractions of a letter's box, from its upper left corner.
const UPPER_ARM = [0.1, 0.35] as const;
const LOWER_ARM = [0.65, 0.9] as const;
const TIP = [0.4, 0.6] as const;
const ARMS_BEGIN_BEHIND = 0.22;
/** The roundest letters start before this. */
const LETTERS_BEGIN_BEFORE = 0.15;
const TIP_BEGINS_BEFORE = 0.25;
const TIP_ENDS_BEFORE = 0.75;

/** A filler has its tip at the left, halfway up, and its arms at the right. No letter has this shape. */
function shapeOf(ink: Uint8Array, width: number, letter: LetterBox): string {
  const arms = Math.min(inkIn(ink, width, letter, UPPER_ARM)[0], inkIn(ink, width, letter, LOWER_ARM)[0]);
  if (arms < LETTERS_BEGIN_BEFORE) return LETTER_CELL;
  const [first, last] = inkIn(ink, width, letter, TIP);
  const isFiller = arms >= ARMS_BEGIN_BEHIND && first <= TIP_BEGINS_BEFORE && last <= TIP_ENDS_BEFORE;
  return isFiller ? FILLER_CELL : UNKNOWN_CELL;
}

/** The average start and end of the ink between these fractions of the letter's height, in fractions of its width. */
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

/** Cells before the names, by the length of their line. */
const BEFORE_NAMES: ReadonlyMap<number, number> = new Map([
  [30, 0],
  [36, 5],
  [44, 5],
]);
/** Fraction of a line. A line with more unknown cells is no evidence. */
const MOST_UNKNOWN = 1 / 2;
/** Fraction of a line. A line with more differences is another line. */
const MOST_DIFFERENT = 1 / 4;

type NameEvidence = "borne_out" | "contradicted" | "unknown";

/**
 * Whether the letter shapes of a zone support the length of its names and the ends of its words. Names have no check
 * digit, and OCR misreads mostly their fillers.
 * @param lines from `characterCells`.
 */
export function nameEvidence(zone: MachineReadableZone, lines: readonly string[]): NameEvidence {
  const supports = lines.map((line) => nameEvidenceInLine(zone, line));
  // A line that supports the names, or may do so, decides. Contradictions by other lines do not count.
  for (const support of ["borne_out", "possible", "contradicted"] as const) {
    if (supports.includes(support)) return support === "possible" ? "unknown" : support;
  }
  return "unknown";
}

function nameEvidenceInLine(zone: MachineReadableZone, line: string): NameEvidence | "possible" {
  const before = BEFORE_NAMES.get(line.length);
  const unknown = [...line].filter((place) => !isKnown(place)).length;
  if (before === undefined || unknown > line.length * MOST_UNKNOWN) return "unknown";
  const names = namesOf(zone);
  const code = zone.documentCode.padEnd(2, FILLER_CELL).padEnd(before, UNKNOWN_CELL).slice(0, before);
  const expected = (code + names)
    .replaceAll(/[A-Z]/g, LETTER_CELL)
    .slice(0, line.length)
    .padEnd(line.length, FILLER_CELL);
  const different = [...expected].filter((one, at) => isKnown(one) && isKnown(line[at]) && line[at] !== one).length;
  if (different > line.length * MOST_DIFFERENT) return "unknown";
  if (different > 0) return "contradicted";
  // With an empty cell at either end, the line could be off by a letter.
  const areEndsKnown = line.at(0) !== EMPTY_CELL && line.at(-1) !== EMPTY_CELL;
  // Another name may follow a single filler.
  const toEndOfNames = [...expected.slice(0, before + names.length + 2)];
  const areWordsApart = toEndOfNames.every((one, at) => one !== FILLER_CELL || line[at] === FILLER_CELL);
  return areEndsKnown && areWordsApart ? "borne_out" : "possible";
}

/**
 * Whether OCR read only fillers after a zone's names. Any other character there may be a short name or a misread
 * filler.
 * @param lines as read.
 */
export function endsWithNames(zone: MachineReadableZone, lines: readonly string[]): boolean {
  const names = namesOf(zone);
  return lines.some((line) => {
    const plain = line.replaceAll(/[^A-Z0-9<]/g, "");
    const at = plain.lastIndexOf(names);
    return at !== -1 && /^<*$/.test(plain.slice(at + names.length));
  });
}

/** The names as a zone spells them. */
function namesOf({ surname, givenNames }: MachineReadableZone): string {
  return [surname, givenNames].map((words) => words.join(FILLER_CELL)).join(FILLER_CELL + FILLER_CELL);
}

function isKnown(place: string | undefined): boolean {
  return place === FILLER_CELL || place === LETTER_CELL;
}
