import { assertNever } from "../shared/assert-never.ts";
import type { Instant } from "../shared/decision.ts";
import { type DocumentKind, kindOfCode } from "./kind.ts";
import { matchName } from "./names/match-name.ts";
import { resemblesName } from "./names/resemble-name.ts";
import type { DocumentReading } from "./reading.ts";
import { FAULT_REASONS, NAME_OF_NO_PASSENGER, WRONG_CHECK_DIGITS } from "./reasons.ts";
import { validityProblem } from "./validity.ts";

/** What is to become of a document, as far as its file tells. */
export type DocumentAssessment =
  | { readonly verdict: "verified"; readonly kind: DocumentKind; readonly passengers: readonly number[] }
  | { readonly verdict: "rejected"; readonly kind: DocumentKind; readonly reason: string }
  /** A person has to look. */
  | { readonly verdict: "open"; readonly kind: DocumentKind };

export interface ReviewedBooking {
  readonly passengers: readonly { readonly name: string }[];
  readonly departsAt: Instant;
}

/** Compares what a reviewer found with the booking (docs/rules.md#document-review). */
export function assessReading(reading: DocumentReading, journey: ReviewedBooking, at: Instant): DocumentAssessment {
  switch (reading.outcome) {
    case "faulty":
      return { verdict: "rejected", kind: "unknown", reason: FAULT_REASONS[reading.fault] };
    case "wrong_check_digits":
      return { verdict: "rejected", kind: kindOfCode(reading.documentCode), reason: WRONG_CHECK_DIGITS };
    case "unreadable":
      return { verdict: "open", kind: kindOfCode(reading.documentCode ?? "") };
    case "read":
      return assessZone(reading, journey, at);
    default:
      return assertNever(reading);
  }
}

type Read = Extract<DocumentReading, { readonly outcome: "read" }>;

function assessZone(
  { zone, source }: Read,
  { passengers, departsAt }: ReviewedBooking,
  at: Instant,
): DocumentAssessment {
  const kind = kindOfCode(zone.documentCode);
  const problem = validityProblem(zone.expiresOn, departsAt, at);
  if (kind === "unknown" || problem === undefined) return { verdict: "open", kind };
  if (problem !== null) return { verdict: "rejected", kind, reason: problem };
  const matches = passengers.map(({ name }) => matchName(name, zone));
  const holders = [...matches.keys()].filter((index) => matches[index] === "same");
  if (holders.length > 0) return { verdict: "verified", kind, passengers: holders };
  const isMisread = source === "scan" && passengers.some(({ name }) => resemblesName(name, zone));
  if (matches.includes("doubtful") || isMisread) return { verdict: "open", kind };
  return { verdict: "rejected", kind, reason: NAME_OF_NO_PASSENGER };
}
