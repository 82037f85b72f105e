import type { Instant } from "../shared/decision.ts";
import { IndexSet } from "../shared/index-set.ts";

/** Points from one lot. */
export interface LotPart {
  /** The booking that earned them; null for an operator's correction. */
  readonly bookingId: string | null;
  readonly expiresAt: Instant;
  readonly points: number;
}

/** The lots that expire together, at the end of a month. Empty ones stay until then, as points may return to them. */
interface Month {
  readonly expiresAt: Instant;
  /** The points of each lot, and its source, in the order of spending. */
  readonly points: number[];
  readonly sources: (string | null)[];
  /** The index of each source's lot. */
  readonly indexes: Map<string | null, number>;
  /** The lots with points. */
  readonly filled: IndexSet;
  /** The sum of their points. */
  left: number;
}

/**
 * The spendable points: a lot per booking, and one per month for operators' corrections. Points expire 24 months after
 * they are earned, so there are few months. Within a month nothing is searched lot by lot.
 */
export interface Lots {
  /** The first to expire first. */
  readonly months: Month[];
  /** The sum of the points of all lots. */
  left: number;
}

export function emptyLots(): Lots {
  return { months: [], left: 0 };
}

export function copyLots({ months }: Lots): Lots {
  const copy = emptyLots();
  for (const { expiresAt, points, sources } of months) {
    addMonth(copy, expiresAt);
    for (const [index, bookingId] of sources.entries()) {
      addToLot(copy, { bookingId, expiresAt, points: points[index] ?? 0 });
    }
  }
  return copy;
}

/** Adds points to their existing lot, or to a new lot after all lots that expire no later. */
export function addToLot(lots: Lots, { bookingId, expiresAt, points }: LotPart): void {
  const month = monthOf(lots, expiresAt) ?? addMonth(lots, expiresAt);
  let index = month.indexes.get(bookingId);
  if (index === undefined) {
    index = month.points.push(0) - 1;
    month.sources.push(bookingId);
    month.indexes.set(bookingId, index);
  }
  change(lots, month, index, points);
}

/** Deducts the allocated parts. */
export function deductParts(lots: Lots, parts: readonly LotPart[]): void {
  for (const { bookingId, expiresAt, points } of parts) {
    const month = monthOf(lots, expiresAt);
    const index = month?.indexes.get(bookingId);
    if (month === undefined || index === undefined || (month.points[index] ?? 0) < points)
      throw new Error(`${points} points are not where they were found`);
    change(lots, month, index, -points);
  }
}

function change(lots: Lots, month: Month, index: number, points: number): void {
  const remaining = (month.points[index] ?? 0) + points;
  month.points[index] = remaining;
  month.left += points;
  lots.left += points;
  if (remaining > 0) month.filled.add(index);
  else month.filled.delete(index);
}

/**
 * Finds lots for at most `points` that have not expired by `at`: first the lot of `bookingId`, then those that expire
 * soonest.
 */
export function allocateParts(lots: Lots, points: number, at: Instant, bookingId?: string): readonly LotPart[] {
  const parts: LotPart[] = [];
  let missing = points;
  const take = (month: Month, index: number) => {
    const found = Math.min(month.points[index] ?? 0, missing);
    if (found === 0) return;
    parts.push({ bookingId: month.sources[index] ?? null, expiresAt: month.expiresAt, points: found });
    missing -= found;
  };
  const months = lots.months.filter(({ expiresAt }) => expiresAt > at);
  const own = bookingId === undefined ? undefined : months.find(({ indexes }) => indexes.has(bookingId));
  const ownIndex = bookingId === undefined ? undefined : own?.indexes.get(bookingId);
  if (own !== undefined && ownIndex !== undefined) take(own, ownIndex);
  for (const month of months) {
    let index = month.filled.next(0);
    while (missing > 0 && index !== undefined) {
      if (month !== own || index !== ownIndex) take(month, index);
      index = month.filled.next(index + 1);
    }
  }
  return parts;
}

/** Points that expire by `at`, by month, the earliest first; includes months with no points left. */
export function expiringByMonth(lots: Lots, at: Instant): readonly (readonly [expiresAt: Instant, points: number])[] {
  const expiring: [Instant, number][] = [];
  for (const month of lots.months) {
    if (month.expiresAt > at) break;
    expiring.push([month.expiresAt, month.left]);
  }
  return expiring;
}

/** Removes the lots that expire at `expiresAt` or before. */
export function dropExpired(lots: Lots, expiresAt: Instant): void {
  const kept = lots.months.findIndex((month) => month.expiresAt > expiresAt);
  const ended = lots.months.splice(0, kept < 0 ? lots.months.length : kept);
  for (const { left } of ended) lots.left -= left;
}

/** The parts of added points that remain after paying off `debt`, in their order. Parts may be left without points. */
export function afterDebt(debt: number, parts: readonly LotPart[]): readonly LotPart[] {
  let owed = debt;
  return parts.map((part) => {
    const paid = Math.min(owed, part.points);
    owed -= paid;
    return { ...part, points: part.points - paid };
  });
}

export function totalPoints(parts: readonly LotPart[]): number {
  return parts.reduce((sum, { points }) => sum + points, 0);
}

function monthOf({ months }: Lots, expiresAt: Instant): Month | undefined {
  return months.find((month) => month.expiresAt === expiresAt);
}

function addMonth({ months }: Lots, expiresAt: Instant): Month {
  const month: Month = { expiresAt, points: [], sources: [], indexes: new Map(), filled: new IndexSet(), left: 0 };
  const later = months.findIndex((other) => other.expiresAt > expiresAt);
  months.splice(later < 0 ? months.length : later, 0, month);
  return month;
}
