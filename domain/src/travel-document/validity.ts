import type { Instant } from "../shared/decision.ts";
import { EXPIRED, expiresTooSoon } from "./reasons.ts";

const MONTHS_AFTER_DEPARTURE = 6;
/** A year of two digits is taken for the one nearest to today. */
const HALF_A_CENTURY = 50;

/** A day of the calendar, `YYYY-MM-DD`: such texts sort as their days do. */
type Day = string;

/** Why a document that expires on this day (`YYMMDD`) is no good; null: it is good; undefined: that is no date. */
export function validityProblem(expiresOn: string, departsAt: Instant, at: Instant): string | null | undefined {
  const lastDay = dayOf(expiresOn, at);
  if (lastDay === undefined) return undefined;
  if (lastDay < day(at)) return EXPIRED;
  const needed = validUntil(departsAt);
  return lastDay < needed ? expiresTooSoon(needed) : null;
}

/**
 * The day until which a passport has to be valid: six months after the day of departure, UTC
 * (docs/rules.md#passport-validity). Where that month has no such day, its last one.
 */
export function validUntil(departsAt: Instant): Day {
  const departure = new Date(departsAt);
  const months = departure.getUTCMonth() + MONTHS_AFTER_DEPARTURE;
  const lastOfMonth = new Date(Date.UTC(departure.getUTCFullYear(), months + 1, 0));
  const date = Math.min(departure.getUTCDate(), lastOfMonth.getUTCDate());
  return day(Date.UTC(departure.getUTCFullYear(), months, date));
}

/** The day `YYMMDD` means when it is read at `at`; undefined where it means none. */
export function dayOf(yymmdd: string, at: Instant): Day | undefined {
  const [, yy, mm, dd] = /^(\d\d)(\d\d)(\d\d)$/.exec(yymmdd) ?? [];
  if (yy === undefined || mm === undefined || dd === undefined) return undefined;
  const thisYear = new Date(at).getUTCFullYear();
  const year = nearest(Number(yy), thisYear);
  const time = Date.UTC(year, Number(mm) - 1, Number(dd));
  const read = `${year}-${mm}-${dd}`;
  return day(time) === read ? read : undefined;
}

function nearest(yearOfCentury: number, thisYear: number): number {
  const first = thisYear - HALF_A_CENTURY;
  return first + ((((yearOfCentury - first) % 100) + 100) % 100);
}

function day(at: Instant): Day {
  return new Date(at).toISOString().slice(0, 10);
}
