import type { Instant } from "../shared/decision.ts";
import { DAY } from "../shared/time.ts";
import type { Cabin } from "../shared/values.ts";
import { passengerNameOf, type Romanize, transliterate } from "./passenger-name.ts";

/** The content of one passenger's barcode for one flight. */
export interface BarCodedLeg {
  readonly bookingId: string;
  readonly passengerName: string;
  /** `SURNAME/GIVEN NAMES` of the verified passport, if a zone was read. */
  readonly zoneName?: string | undefined;
  readonly flightId: string;
  /** Code of the spaceport. */
  readonly from: string;
  readonly destinationId: string;
  readonly departsAt: Instant;
  readonly cabin: Cabin;
  /** Row, at most three digits, and column. */
  readonly seat: string;
  readonly sequence: number;
  readonly memberNumber: string | null;
  /** Whether the passport has been checked. */
  readonly documentsChecked: boolean;
}

const NAME_WIDTH = 20;
const MEMBER_NUMBER_WIDTH = 16;
const COMPARTMENT_CODES: Readonly<Record<Cabin, string>> = {
  first: "F",
  business: "J",
  premium_economy: "W",
  economy: "Y",
};

const TICKETLESS = "E";
const CHECKED_IN = "1";
const VERSION = ">6";
const ADULT = "0";
const WEB = "W";
const BOARDING_PASS = "B";
/** "1": an airline agent still has to look at the documents; "2": an agent has. */
const documentCheck = (done: boolean) => (done ? "2" : "1");

/** Tools for a barcode that are not rules of this service. */
export interface BarcodeTools {
  readonly romanize: Romanize;
  /** At most 100 characters of base64url, fixed for a text (docs/decisions/0054-boarding-passes-are-signed.md). */
  readonly sign: (text: string) => string;
}

/** Begins the security data. No earlier item contains it. */
const SECURITY = "^";
/** The issuer numbers the kinds of security data. */
const ED25519 = "1";

/**
 * The message in the barcode of a boarding pass for one flight: IATA Bar Coded Boarding Pass, format M, version 6
 * (Resolution 792). First come sixty mandatory characters, each item in its place. Then come the conditional items for
 * the whole pass and for the flight, no airline data, and a signature of all that as security data. Nothing in it
 * changes by itself, so a pass always has the same barcode.
 */
export function barCodedBoardingPass(journey: BarCodedLeg, { romanize, sign }: BarcodeTools): string {
  const text = unsignedPass(journey, romanize);
  const signature = sign(text);
  return `${text}${SECURITY}${ED25519}${size(signature)}${signature}`;
}

/** The signed text of a barcode and its signature; undefined if the barcode has no such security data. */
export function signedPartsOf(message: string): { readonly text: string; readonly signature: string } | undefined {
  const end = message.lastIndexOf(SECURITY);
  const signature = message.slice(end + 4);
  const isWhole = end > 0 && message.slice(end + 1, end + 4) === `${ED25519}${size(signature)}`;
  return isWhole ? { text: message.slice(0, end), signature } : undefined;
}

/** The mandatory items that a person at a gate compares with the traveller. */
export function boardingItemsOf(message: string) {
  const item = (from: number, width: number) => message.slice(from, from + width).trim();
  return {
    name: item(2, NAME_WIDTH),
    booking: item(23, 7),
    from: item(30, 3),
    to: item(33, 3),
    flight: `${item(36, 3)} ${item(39, 5)}`,
    dayOfYear: item(44, 3),
    compartment: item(47, 1),
    seat: item(48, 4).replace(/^0+/, ""),
    sequence: item(52, 5).replace(/^0+/, ""),
  };
}

function unsignedPass(journey: BarCodedLeg, romanize: Romanize): string {
  const { carrier, number } = flightDesignatorOf(journey.flightId);
  const conditional = conditionalItems(journey, carrier);
  return [
    "M1",
    item(passengerNameOf(journey, NAME_WIDTH, romanize), NAME_WIDTH),
    TICKETLESS,
    item(bookingCodeOf(journey.bookingId), 7),
    item(portCode(journey.from, romanize), 3),
    item(portCode(journey.destinationId, romanize), 3),
    item(carrier, 3),
    item(flightNumber(number), 5),
    dayOfYear(journey.departsAt),
    COMPARTMENT_CODES[journey.cabin],
    journey.seat.padStart(4, "0"),
    item(String(journey.sequence).padStart(4, "0"), 5),
    CHECKED_IN,
    size(conditional),
    conditional,
  ].join("");
}

function conditionalItems({ memberNumber, documentsChecked }: BarCodedLeg, carrier: string): string {
  const dayOfIssue = item("", 4);
  const forThePass = [ADULT, WEB, WEB, dayOfIssue, BOARDING_PASS, item(carrier, 3)].join("");
  const numericCode = item("", 3);
  const serialNumber = item("", 10);
  const selectee = " ";
  const forTheFlight = [numericCode, serialNumber, selectee, documentCheck(documentsChecked), item(carrier, 3)].join(
    "",
  );
  const member = memberNumberItem(memberNumber);
  const withMember = member === undefined ? forTheFlight : `${forTheFlight}${item(carrier, 3)}${member}`;
  return `${VERSION}${size(forThePass)}${forThePass}${size(withMember)}${withMember}`;
}

/** Characters that people group digits with, and invisible ones. */
const GROUPING = /[\p{Z}\p{Cf}\p{Pd}.]/gu;

/** A shortened number could be another member's, so a number that the barcode can't carry is left out. */
function memberNumberItem(memberNumber: string | null): string | undefined {
  const number = (memberNumber ?? "").replace(GROUPING, "");
  if (!/^[0-9A-Za-z]+$/.test(number) || number.length > MEMBER_NUMBER_WIDTH) return undefined;
  return item(number.toUpperCase(), MEMBER_NUMBER_WIDTH);
}

/** Pads on the right. @throws Error the text does not fit, so a reader would misread everything after it. */
function item(text: string, width: number): string {
  if (text.length > width) throw new Error(`${JSON.stringify(text)} is longer than ${width} characters`);
  return text.padEnd(width, " ");
}

/** Two hexadecimal digits: the number of characters in the group that follows. */
function size(items: string): string {
  return items.length.toString(16).toUpperCase().padStart(2, "0");
}

/** Three letters for a port: the first letters of its code or id, filled up with X. */
function portCode(id: string, romanize: Romanize): string {
  return transliterate(id, romanize).replaceAll(" ", "").slice(0, 3).padEnd(3, "X");
}

/** Four digits, and perhaps a letter after them. */
function flightNumber(number: string): string {
  const [, digits = "", suffix = ""] = /^(\d+)(\D?)$/.exec(number) ?? [];
  return `${digits.padStart(4, "0")}${suffix}`;
}

/** Three digits: the day of the year, UTC, from 001. */
function dayOfYear(instant: Instant): string {
  const newYear = Date.UTC(new Date(instant).getUTCFullYear(), 0, 1);
  return String(Math.floor((instant - newYear) / DAY) + 1).padStart(3, "0");
}

/** Leaves out letters and digits that are easily confused. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 6;

/**
 * Six letters and digits that name a booking at a counter and in a barcode. They derive from the random last digits of
 * its id. Two bookings may share a code, so it is no key.
 */
export function bookingCodeOf(bookingId: string): string {
  let value = 0n;
  for (const character of bookingId.slice(-12)) value = value * 36n + BigInt(Number.parseInt(character, 36) || 0);
  let code = "";
  for (let place = 0; place < LENGTH; place += 1) {
    code += ALPHABET[Number(value % BigInt(ALPHABET.length))];
    value /= BigInt(ALPHABET.length);
  }
  return code;
}

/** The carrier and number of a flight, as a barcode has them. */
interface FlightDesignator {
  /** Two or three letters and digits. */
  readonly carrier: string;
  /** Up to four digits, and one letter at most. */
  readonly number: string;
}

/** The carrier of flights whose id names none. No airline has this designator. */
const CARRIER = "TB";
const NUMBERS = 9_999;

/**
 * The designator of a flight. If the id begins with one, it is used (`KP442-20270301`: flight 442 of KP). Else the
 * number is computed from the id, always the same.
 */
export function flightDesignatorOf(flightId: string): FlightDesignator {
  const [, carrier, digits, suffix = ""] =
    /^([A-Z]{2,3}|[A-Z]\d|\d[A-Z])(\d{1,4})([A-Z]?)(?![A-Za-z0-9])/.exec(flightId) ?? [];
  if (carrier !== undefined && digits !== undefined) return { carrier, number: `${digits}${suffix}` };
  let sum = 0;
  for (const character of flightId) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % NUMBERS;
  return { carrier: CARRIER, number: String(sum + 1) };
}
