import type { MachineReadableZone } from "@travel-booking/domain";
import { EMPTY_CELL, FILLER_CELL, LETTER_CELL, UNKNOWN_CELL } from "./character-cells.ts";

/** Places before the names, by the length of their line. */
const BEFORE_NAMES: ReadonlyMap<number, number> = new Map([
  [30, 0],
  [36, 5],
  [44, 5],
]);
/** Of a line: where more is unknown it says nothing. */
const MOST_UNKNOWN = 1 / 2;
/** Of a line: where more is different it is another line. */
const MOST_DIFFERENT = 1 / 4;

export type NameEvidence = "borne_out" | "contradicted" | "unknown";

/**
 * Whether the shapes of a zone's letters bear out that its names are so long, and that their words end there. Names
 * have no check digit, and fillers are what is misread most in them.
 * @param lines as `characterCells` found them.
 */
export function nameEvidence(zone: MachineReadableZone, lines: readonly string[]): NameEvidence {
  const supports = lines.map((line) => nameEvidenceInLine(zone, line));
  // A line that nothing speaks against is that of the names; another line must not contradict.
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
  // Were nothing at its ends, the line could be off by a letter.
  const areEndsKnown = line.at(0) !== EMPTY_CELL && line.at(-1) !== EMPTY_CELL;
  // One filler alone may be followed by another name.
  const toEndOfNames = [...expected.slice(0, before + names.length + 2)];
  const areWordsApart = toEndOfNames.every((one, at) => one !== FILLER_CELL || line[at] === FILLER_CELL);
  return areEndsKnown && areWordsApart ? "borne_out" : "possible";
}

/**
 * Whether a reader saw nothing but fillers behind a zone's names. What else it saw there may be a short name as well as
 * a filler that was misread.
 * @param lines as they were read.
 */
export function endsWithNames(zone: MachineReadableZone, lines: readonly string[]): boolean {
  const names = namesOf(zone);
  return lines.some((line) => {
    const plain = line.replaceAll(/[^A-Z0-9<]/g, "");
    const at = plain.lastIndexOf(names);
    return at !== -1 && /^<*$/.test(plain.slice(at + names.length));
  });
}

/** As a zone has them. */
function namesOf({ surname, givenNames }: MachineReadableZone): string {
  return [surname, givenNames].map((words) => words.join(FILLER_CELL)).join(FILLER_CELL + FILLER_CELL);
}

function isKnown(place: string | undefined): boolean {
  return place === FILLER_CELL || place === LETTER_CELL;
}
