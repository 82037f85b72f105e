import type { MachineReadableZone } from "@travel-booking/domain";
import { type Field, textAt, ZONE_FORMATS, type ZoneFormat } from "./format.ts";

export const FILLER = "<";

export type Letters = Readonly<Record<string, string>>;
/** Digits that are misread as these letters, or that they stand for in a numeric field. */
export const AS_DIGIT: Letters = { O: "0", Q: "0", D: "0", U: "0", I: "1", L: "1", Z: "2", S: "5", G: "6", B: "8" };

const WEIGHTS = [7, 3, 1] as const;
const DIGIT_ZERO = 48;
const LETTER_A = 65;

/** The check digit of a text of A to Z, 0 to 9 and fillers (ICAO 9303-3, section 4.9). */
export function checkDigitOf(text: string): string {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    sum += worthOf(text.charCodeAt(index)) * (WEIGHTS[index % WEIGHTS.length] ?? 0);
  }
  return String(sum % 10);
}

/** Digits have their own value, A to Z have 10 to 35, a filler has 0. */
function worthOf(code: number): number {
  if (code >= LETTER_A) return code - LETTER_A + 10;
  return code >= DIGIT_ZERO && code < DIGIT_ZERO + 10 ? code - DIGIT_ZERO : 0;
}

const OTHER = /[^A-Z0-9<]/;
/** More lines than any document of a few pages has. */
const MOST_LINES = 5_000;

/** A zone in a text. */
export interface FoundZone<Line> extends ParsedZone {
  readonly format: ZoneFormat;
  readonly zoneLines: readonly string[];
  /** The lines of the text that contain the zone: fewer than the zone has if the text has joined them. */
  readonly textLines: readonly Line[];
}

/** Finds zones in lines of a PDF's text. The text is not from OCR, so every character counts. */
export function findZones<Line extends { readonly text: string }>(text: readonly Line[]): readonly FoundZone<Line>[] {
  const lines = text
    .slice(0, MOST_LINES)
    .flatMap((line) => splitJoinedLines(line.text.replaceAll(/\s/g, "")).map((own) => ({ own, line })))
    .filter(({ own }) => own !== "" && !OTHER.test(own));
  const found: FoundZone<Line>[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    for (const format of ZONE_FORMATS) {
      const several = lines.slice(index, index + format.lines);
      const zoneLines = several.map(({ own }) => own);
      const parsed = parseZone(zoneLines, format);
      const textLines = several.map(({ line }) => line);
      if (parsed !== undefined) found.push({ ...parsed, format, zoneLines, textLines });
    }
  }
  return found;
}

/** Some texts join the lines of a zone into one. */
function splitJoinedLines(line: string): readonly string[] {
  const format = ZONE_FORMATS.find(({ lines, length }) => line.length === lines * length);
  if (format === undefined) return [line];
  return Array.from({ length: format.lines }, (_, index) =>
    line.slice(index * format.length, (index + 1) * format.length),
  );
}

export interface ParsedZone {
  /** Whether every check digit is right, the composite one included. */
  readonly isConsistent: boolean;
  readonly zone: MachineReadableZone;
}

const CODE = /^[A-Z][A-Z0-9<]$/;
const STATE = /^(?:[A-Z]{3}|[A-Z]{1,2}<{1,2})$/;
const NAMES = /^[A-Z][A-Z<]*$/;
const DATE = /^[0-9<]{6}$/;
const SEX = /^[MFX<]$/;
const ANY = /^[A-Z0-9<]*$/;

/** Parses lines as a zone of this format; undefined if they do not have its form. Check digits may be wrong. */
export function parseZone(lines: readonly string[], format: ZoneFormat): ParsedZone | undefined {
  if (!hasForm(lines, format)) return undefined;
  const names = textAt(lines, format.names);
  const [surname = "", givenNames = ""] = names.split("<<");
  return {
    isConsistent: isConsistent(lines, format),
    zone: {
      documentCode: plain(textAt(lines, [0, 0, 2])),
      surname: wordsOf(surname),
      givenNames: wordsOf(givenNames),
      namesCutOff: !names.endsWith(FILLER),
      expiresOn: textAt(lines, format.expiry),
      number: numberOf(lines, format),
    },
  };
}

function hasForm(lines: readonly string[], format: ZoneFormat): boolean {
  if (lines.length !== format.lines || lines.some((line) => line.length !== format.length || !ANY.test(line))) {
    return false;
  }
  const is = (field: Field, form: RegExp) => form.test(textAt(lines, field));
  return (
    format.codes.includes(lines[0]?.charAt(0) ?? "") &&
    is([0, 0, 2], CODE) &&
    is(format.issuer, STATE) &&
    is(format.nationality, STATE) &&
    is(format.names, NAMES) &&
    is(format.birth, DATE) &&
    is(format.expiry, DATE) &&
    is(format.sex, SEX)
  );
}

function isConsistent(lines: readonly string[], format: ZoneFormat): boolean {
  return format.checked.every((field) => isChecked(lines, field, format)) && isWholeRight(lines, format);
}

function isWholeRight(lines: readonly string[], { composite }: ZoneFormat): boolean {
  if (composite === null) return true;
  const all = composite.of.map((field) => textAt(lines, field)).join("");
  return checkDigitOf(all) === textAt(lines, composite.at);
}

function isChecked(lines: readonly string[], field: Field, format: ZoneFormat): boolean {
  const [line, , end] = field;
  const text = textAt(lines, field);
  const digit = textAt(lines, [line, end, end + 1]);
  if (digit !== FILLER) return digit === checkDigitOf(text);
  if (isSame(field, format.optionalCheckDigit)) return isEmpty(text);
  return isSame(field, format.number) && isLongNumberRight(text, lines, format);
}

/** The standard does not say whether the filler between the two parts of a long number counts, and issuers differ. */
function isLongNumberRight(beginning: string, lines: readonly string[], format: ZoneFormat): boolean {
  const { end, checkDigit } = restOfNumber(beginning, lines, format);
  return end !== "" && [beginning + end, beginning + FILLER + end].some((text) => checkDigitOf(text) === checkDigit);
}

/** A number too long for its field continues in the optional data, followed by its check digit (ICAO 9303-5, note j). */
function restOfNumber(beginning: string, lines: readonly string[], { numberOverflow }: ZoneFormat) {
  if (numberOverflow === null || beginning.includes(FILLER)) return { end: "", checkDigit: undefined };
  const [rest = ""] = textAt(lines, numberOverflow).split(FILLER);
  return { end: rest.slice(0, -1), checkDigit: rest.at(-1) };
}

/** The document's number in one spelling: check digits can't tell all look-alikes apart, and readings must agree. */
function numberOf(lines: readonly string[], format: ZoneFormat): string {
  const { number } = format;
  const [line, , end] = number;
  const beginning = textAt(lines, number);
  const isLong = textAt(lines, [line, end, end + 1]) === FILLER;
  const whole = isLong ? beginning + restOfNumber(beginning, lines, format).end : beginning;
  return plain(whole).replaceAll(/[A-Z]/g, (letter) => AS_DIGIT[letter] ?? letter);
}

function isSame(one: Field, other: Field | null): boolean {
  return other !== null && one.every((place, index) => place === other[index]);
}

function isEmpty(text: string): boolean {
  return plain(text) === "";
}

function plain(text: string): string {
  return text.replaceAll(FILLER, "");
}

function wordsOf(names: string): readonly string[] {
  return names.split(FILLER).filter((word) => word !== "");
}
