import type { MachineReadableZone } from "@travel-booking/domain";
import { checkDigitOf, FILLER } from "./check-digit.ts";
import { type Field, textAt, type ZoneFormat } from "./format.ts";

export interface ParsedZone {
  /** Whether every check digit is right, that of the whole included. */
  readonly isConsistent: boolean;
  readonly zone: MachineReadableZone;
}

const CODE = /^[A-Z][A-Z0-9<]$/;
const STATE = /^(?:[A-Z]{3}|[A-Z]{1,2}<{1,2})$/;
const NAMES = /^[A-Z][A-Z<]*$/;
const DATE = /^[0-9<]{6}$/;
const SEX = /^[MFX<]$/;
const ANY = /^[A-Z0-9<]*$/;

/** Reads lines as a zone of this format; undefined where they have not its form, whatever their check digits. */
export function parseZone(lines: readonly string[], format: ZoneFormat): ParsedZone | undefined {
  if (!hasForm(lines, format)) return undefined;
  const names = textAt(lines, format.names);
  const [surname = "", givenNames = ""] = names.split("<<");
  return {
    isConsistent: isConsistent(lines, format),
    zone: {
      documentCode: textAt(lines, [0, 0, 2]).replaceAll(FILLER, ""),
      surname: wordsOf(surname),
      givenNames: wordsOf(givenNames),
      namesCutOff: !names.endsWith(FILLER),
      expiresOn: textAt(lines, format.expiry),
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

/**
 * A number with no room in its place goes on in the optional data, its check digit behind it (ICAO 9303-5, note j).
 * Whether the filler between the two parts counts is not said there, and issuers differ.
 */
function isLongNumberRight(beginning: string, lines: readonly string[], { numberOverflow }: ZoneFormat): boolean {
  if (numberOverflow === null || beginning.includes(FILLER)) return false;
  const [rest = ""] = textAt(lines, numberOverflow).split(FILLER);
  const end = rest.slice(0, -1);
  return end !== "" && [beginning + end, beginning + FILLER + end].some((text) => checkDigitOf(text) === rest.at(-1));
}

function isSame(one: Field, other: Field | null): boolean {
  return other !== null && one.every((place, index) => place === other[index]);
}

function isEmpty(text: string): boolean {
  return text.replaceAll(FILLER, "") === "";
}

function wordsOf(names: string): readonly string[] {
  return names.split(FILLER).filter((word) => word !== "");
}
