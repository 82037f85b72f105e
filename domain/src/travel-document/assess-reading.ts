import { assertNever, type Instant } from "../shared/decision.ts";
import { utcDay } from "../shared/time.ts";
import {
  type ComparedReading,
  type DocumentKind,
  type FileFault,
  kindOfCode,
  type MachineReadableZone,
  type NameMatch,
  type ReadZone,
} from "./reading.ts";

/** The verdict on a document, based on its file. */
export type DocumentAssessment =
  | {
      readonly verdict: "verified";
      readonly kind: DocumentKind;
      /** The passengers it fits best, as 0-based indexes. One of them is its holder. */
      readonly passengers: readonly number[];
      readonly zoneName: string;
      readonly read: ReadZone;
    }
  | {
      readonly verdict: "rejected";
      readonly kind: DocumentKind;
      readonly reason: string;
      /** Absent: no zone was read. */
      readonly read?: ReadZone;
    }
  /** A person has to check the document. */
  | { readonly verdict: "open"; readonly kind: DocumentKind; readonly zoneName?: string; readonly read?: ReadZone };

/** Assesses a reading for its booking (docs/rules.md#document-review). */
export function assessReading(reading: ComparedReading, departsAt: Instant, at: Instant): DocumentAssessment {
  switch (reading.outcome) {
    case "faulty":
      return { verdict: "rejected", kind: "unknown", reason: FAULT_REASONS[reading.fault] };
    case "wrong_check_digits":
      return { verdict: "rejected", kind: kindOfCode(reading.documentCode), reason: WRONG_CHECK_DIGITS };
    case "unreadable":
      return { verdict: "open", kind: kindOfCode(reading.documentCode ?? "") };
    case "read":
      return assessZone(reading, departsAt, at);
    default:
      return assertNever(reading);
  }
}

type Read = Extract<ComparedReading, { readonly outcome: "read" }>;

function assessZone({ zone, names }: Read, departsAt: Instant, at: Instant): DocumentAssessment {
  const kind = kindOfCode(zone.documentCode);
  const read = { name: zoneNameOf(zone), expiresOn: dayOf(zone.expiresOn, at) ?? null, number: zone.number };
  const problem = validityProblem(zone.expiresOn, departsAt, at);
  if (kind === "unknown" || problem === undefined) return { verdict: "open", kind, read };
  if (problem !== null) return { verdict: "rejected", kind, reason: problem, read };
  const matching = (wanted: NameMatch) => [...names.keys()].filter((index) => names[index]?.match === wanted);
  const fitting = [matching("all"), matching("some")].find(({ length }) => length > 0);
  const inOrder = fitting?.filter((index) => names[index]?.isInOrder === true) ?? [];
  const passengers = inOrder.length > 0 ? inOrder : fitting;
  if (passengers !== undefined) return { verdict: "verified", kind, passengers, zoneName: read.name, read };
  // A boarding pass must not spell a misread name.
  if (matching("misread").length > 0) return { verdict: "open", kind, read };
  if (matching("doubtful").length > 0) return { verdict: "open", kind, read, zoneName: read.name };
  return { verdict: "rejected", kind, reason: NAME_OF_NO_PASSENGER, read };
}

/** `SURNAME/GIVEN NAMES` */
function zoneNameOf({ surname, givenNames }: MachineReadableZone): string {
  return [surname, givenNames]
    .filter(({ length }) => length > 0)
    .map((words) => words.join(" "))
    .join("/");
}

const VALIDITY_AFTER_DEPARTURE = { months: 6, inWords: "six months" };
/** A two-digit year means the nearest one. */
const HALF_A_CENTURY = 50;
/** Longer ago, the century is in doubt: two digits can't tell 1999 from 9999, by which some cards never end. */
const MOST_YEARS_EXPIRED = 15;

/** Why a document with this expiry date (`YYMMDD`) is refused; null if valid; undefined if the date is unclear. */
function validityProblem(expiresOn: string, departsAt: Instant, at: Instant): string | null | undefined {
  const lastDay = dayOf(expiresOn, at);
  if (lastDay === undefined || lastDay < utcDay(yearsBefore(at, MOST_YEARS_EXPIRED))) return undefined;
  return expiryProblem(lastDay, departsAt, at);
}

/** Why a document whose last day is `YYYY-MM-DD` is refused; null: it is valid for long enough. */
export function expiryProblem(lastDay: string, departsAt: Instant, at: Instant): string | null {
  if (lastDay < utcDay(at)) return EXPIRED;
  const needed = validUntil(departsAt);
  return lastDay < needed ? expiresTooSoon(needed) : null;
}

/**
 * The day until which a passport must be valid: six months after the day of departure, UTC
 * (docs/rules.md#passport-validity). If that month has no such day, its last day.
 */
export function validUntil(departsAt: Instant): string {
  const departure = new Date(departsAt);
  const months = departure.getUTCMonth() + VALIDITY_AFTER_DEPARTURE.months;
  const lastOfMonth = new Date(Date.UTC(departure.getUTCFullYear(), months + 1, 0));
  const date = Math.min(departure.getUTCDate(), lastOfMonth.getUTCDate());
  return utcDay(Date.UTC(departure.getUTCFullYear(), months, date));
}

function yearsBefore(at: Instant, years: number): Instant {
  const date = new Date(at);
  return date.setUTCFullYear(date.getUTCFullYear() - years);
}

/** The date of `YYMMDD` when read at `at`; undefined if it is no date. */
export function dayOf(yymmdd: string, at: Instant): string | undefined {
  const [, yy, mm, dd] = /^(\d\d)(\d\d)(\d\d)$/.exec(yymmdd) ?? [];
  if (yy === undefined || mm === undefined || dd === undefined) return undefined;
  const thisYear = new Date(at).getUTCFullYear();
  const year = nearest(Number(yy), thisYear);
  const time = Date.UTC(year, Number(mm) - 1, Number(dd));
  const read = `${year}-${mm}-${dd}`;
  return utcDay(time) === read ? read : undefined;
}

function nearest(yearOfCentury: number, thisYear: number): number {
  const first = thisYear - HALF_A_CENTURY;
  return first + ((((yearOfCentury - first) % 100) + 100) % 100);
}

/** Shown to the owner of a refused file. */
const FAULT_REASONS: Readonly<Record<FileFault, string>> = {
  encrypted: "The file is encrypted; upload it without a password.",
  active_content: "The file contains scripts or actions; upload a plain scan.",
  embedded_files: "The file contains other files; upload a plain scan.",
  mixed_formats: "The file is of more than one format at once; upload a plain scan.",
  too_many_pages: "The file has too many pages; upload the pages of one document.",
  too_large_unpacked: "The file becomes too large when it is unpacked; upload a plain scan.",
  image_too_large: "The picture has too many pixels; upload a smaller scan.",
  damaged: "The file is damaged; upload it again.",
};

const WRONG_CHECK_DIGITS = "The check digits of the machine-readable zone are wrong.";
const NAME_OF_NO_PASSENGER = "The name on the document is that of no passenger of the booking.";
const EXPIRED = "The document has expired.";

/** @param until `YYYY-MM-DD`. */
function expiresTooSoon(until: string): string {
  return `The document must be valid until ${until} at least, ${VALIDITY_AFTER_DEPARTURE.inWords} after departure.`;
}
