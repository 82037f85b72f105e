import { type Field, textAt, ZONE_FORMATS, type ZoneFormat } from "./format.ts";
import { AS_DIGIT, FILLER, type FoundZone, type Letters, type ParsedZone, parseZone } from "./parse-zone.ts";

/** Replacements for misread characters in letter-only fields. */
const AS_LETTER: Letters = { "0": "O", "1": "I", "2": "Z", "5": "S", "6": "G", "8": "B" };

/** In fields that allow both, recovery tries each of these both as read and replaced. */
const AMBIGUOUS: Letters = { "0": "O", O: "0", "1": "I", I: "1", L: "1", "5": "S", S: "5", "8": "B", B: "8" };
const MOST_EITHER = 6;
const LEAST_LENGTH = 24;
const LIKELY_FIRST_LINE = /^[PVIAC][A-Z<][A-Z0-9<]{3}[A-Z0-9<]{19,}$/;

/**
 * Finds a zone in OCR lines. It replaces look-alike letters and digits by the only possible one and recounts fillers.
 * It accepts a result only if every check digit agrees.
 */
export function recoverZone(text: readonly string[]): ParsedZone | undefined {
  const lines = text.map(plain).filter(({ length }) => length >= LEAST_LENGTH);
  for (const format of ZONE_FORMATS) {
    for (let index = 0; index + format.lines <= lines.length; index += 1) {
      const found = recoverAs(lines.slice(index, index + format.lines), format);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The document code of lines that look like a zone but are unreliable; null if none do. */
export function likelyCode(text: readonly string[]): string | null {
  const first = text.map(plain).find((line) => LIKELY_FIRST_LINE.test(line) && line.includes("<<"));
  return first === undefined ? null : first.slice(0, 2).replaceAll(FILLER, "");
}

function plain(line: string): string {
  return line.toUpperCase().replaceAll(/[^A-Z0-9<]/g, "");
}

function recoverAs(lines: readonly string[], format: ZoneFormat): ParsedZone | undefined {
  for (const candidate of fitLines(lines, format)) {
    const typed = coerceFieldTypes(candidate, format);
    for (const spelling of spellings(typed, [format.number, ...format.optional])) {
      const parsed = parseZone(spelling, format);
      if (parsed?.isConsistent) return parsed;
    }
  }
  return undefined;
}

/** Every combination of lines fitted to the format's length. */
function fitLines(lines: readonly string[], { length, names }: ZoneFormat): readonly (readonly string[])[] {
  let all: readonly (readonly string[])[] = [[]];
  for (const [index, line] of lines.entries()) {
    const named = index === names[0] ? fitNamesLine(line, length, names) : undefined;
    const ways = index === names[0] ? (named === undefined ? [] : [named]) : fitToLength(line, length);
    all = all.flatMap((before) => ways.map((way) => [...before, way]));
  }
  return all;
}

function coerceFieldTypes(lines: readonly string[], format: ZoneFormat): readonly string[] {
  const digits = [format.birth, format.expiry, ...(format.composite === null ? [] : [format.composite.at])];
  const checks = format.checked.map(([line, , end]): Field => [line, end, end + 1]);
  const letters: readonly Field[] = [[0, 0, 2], format.issuer, format.nationality, format.names, format.sex];
  let typed = lines;
  for (const field of [...digits, ...checks]) typed = replaced(typed, field, AS_DIGIT);
  for (const field of letters) typed = replaced(typed, field, AS_LETTER);
  return typed;
}

function replaced(lines: readonly string[], [line, from, to]: Field, by: Letters): readonly string[] {
  return lines.map((text, index) =>
    index === line
      ? text.slice(0, from) + text.slice(from, to).replaceAll(/./g, (one) => by[one] ?? one) + text.slice(to)
      : text,
  );
}

/** The lines with each look-alike in these fields, both as read and replaced; the lines as read come first. */
function* spellings(lines: readonly string[], fields: readonly Field[]): Generator<readonly string[]> {
  const places = fields
    .flatMap(([line, from, to]) => Array.from({ length: to - from }, (_, offset) => ({ line, at: from + offset })))
    .filter(({ line, at }) => Object.hasOwn(AMBIGUOUS, lines[line]?.charAt(at) ?? ""))
    .slice(0, MOST_EITHER);
  for (let flips = 0; flips < 2 ** places.length; flips += 1) {
    const flipped = places.filter((_, index) => (flips >> index) % 2 === 1);
    yield lines.map((text, line) =>
      flip(
        text,
        flipped.filter((place) => place.line === line).map(({ at }) => at),
      ),
    );
  }
}

function flip(text: string, places: readonly number[]): string {
  const characters = [...text];
  for (const at of places) characters[at] = AMBIGUOUS[characters[at] ?? ""] ?? "";
  return characters.join("");
}

/** Groups of look-alike characters, with at most one digit each. OCR sometimes reads one character as two. */
const LOOK_ALIKE = ["0OQDU", "1ILJ", "2Z", "5S", "6G", "8B"];
/** Maximum difference between the length of a line and the format's. */
const MOST_OFF = 6;
const MOST_DOUBLED = 2;
const MOST_WAYS = 64;

/** OCR of plain text misreads fillers as these. */
const MISREAD_FILLERS = /^(?:[A-Z]|[CKLS]{2,})$/;

/** The candidates of this length for a line: one of two adjacent look-alikes removed, or fillers recounted. */
function fitToLength(line: string, length: number): readonly string[] {
  const ways = new Set<string>();
  let lines = [line];
  for (let left = 0; left <= MOST_DOUBLED && lines.length > 0; left += 1) {
    for (const one of lines) {
      const way = withFillers(one, length);
      if (way !== undefined) ways.add(way);
    }
    lines = lines.flatMap(withoutOneOfTwo).slice(0, MOST_WAYS);
  }
  return [...ways].slice(0, MOST_WAYS);
}

/** Fits a line that ends with names: it reads everything after the names as fillers. */
function fitNamesLine(line: string, length: number, [, from]: Field): string | undefined {
  const [surname = "", givenNames = ""] = line.slice(from).split("<<");
  const words = givenNames.split(FILLER);
  while (words.length > 1 && MISREAD_FILLERS.test(words.at(-1) ?? "")) words.pop();
  const names = words.length === 1 && words[0] === "" ? surname : `${surname}<<${words.join(FILLER)}`;
  if (surname === "" || line.length < length / 2) return undefined;
  return (line.slice(0, from) + names).slice(0, length).padEnd(length, FILLER);
}

/** Lengthens or shortens the longest run of fillers to give the line this length. */
function withFillers(line: string, length: number): string | undefined {
  const off = length - line.length;
  if (off === 0) return line;
  if (Math.abs(off) > MOST_OFF) return undefined;
  const [longest] = [...line.matchAll(/<+/g)].sort((one, other) => other[0].length - one[0].length);
  if (longest === undefined || longest[0].length + off < 0) return undefined;
  const filled = FILLER.repeat(longest[0].length + off);
  return line.slice(0, longest.index) + filled + line.slice(longest.index + longest[0].length);
}

function withoutOneOfTwo(line: string): readonly string[] {
  const ways: string[] = [];
  for (let at = 0; at + 1 < line.length; at += 1) {
    const [one = "", other = ""] = [line[at], line[at + 1]];
    if (one === other || !LOOK_ALIKE.some((group) => group.includes(one) && group.includes(other))) continue;
    ways.push(line.slice(0, at) + line.slice(at + 1), line.slice(0, at + 1) + line.slice(at + 2));
  }
  return ways;
}

/** A filler, and the characters that OCR of plain text makes of the fillers after it; folded. */
const FILLERS_TO_THE_END = /^(?:<[<CEK15]*)?$/;

/**
 * Whether OCR lines show this zone's kind, State, names and dates, apart from look-alikes. Numbers are not compared,
 * because OCR misreads them too often, and they have a check digit.
 */
export function showsZone(
  { format, zoneLines }: Pick<FoundZone<unknown>, "format" | "zoneLines">,
  text: readonly string[],
): boolean {
  const shown = text.map((line) => folded(plain(line)));
  const withDigit = ([line, from, to]: Field) => folded(textAt(zoneLines, [line, from, to + 1]));
  const [namesLine, , end] = format.names;
  const names = folded(textAt(zoneLines, [namesLine, 0, end])).replace(/<*$/, "");
  return (
    shown.some((line) => line.startsWith(names) && FILLERS_TO_THE_END.test(line.slice(names.length))) &&
    shown.some((line) => line.startsWith(folded(textAt(zoneLines, [0, 0, 5])))) &&
    shown.some((line) => line.includes(withDigit(format.birth)) && line.includes(withDigit(format.expiry)))
  );
}

/** Replaces look-alikes by one character, runs of a character by one, and longer runs of fillers by two. */
function folded(line: string): string {
  const alike = [...line].map((one) => LOOK_ALIKE.find((group) => group.includes(one))?.charAt(0) ?? one).join("");
  return alike.replaceAll(/([^<])\1+/g, "$1").replaceAll(/<<+/g, "<<");
}
