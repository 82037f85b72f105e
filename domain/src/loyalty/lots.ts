import type { Instant } from "../shared/decision.ts";

/** Points from one lot. */
export interface LotPart {
  /** The booking that earned them; null for an operator's correction. */
  readonly bookingId: string | null;
  readonly expiresAt: Instant;
  readonly points: number;
}

/** Points with the same source and expiry. */
export interface Lot extends Omit<LotPart, "points"> {
  /** Spendable points. */
  remaining: number;
}

/**
 * The spendable points, the first to expire first; one lot per booking, and one per month for operators' corrections.
 * An empty lot stays until its month ends, because refunds may need it.
 */
export interface Lots {
  readonly all: Lot[];
  /** Index of the first lot that may have points; all earlier lots are empty. */
  first: number;
  /** The sum of the points of all lots. */
  left: number;
}

export function emptyLots(): Lots {
  return { all: [], first: 0, left: 0 };
}

export function copyLots({ all, first, left }: Lots): Lots {
  return { all: all.map((lot) => ({ ...lot })), first, left };
}

/** Adds points to their existing lot, or in a new lot after all that expire no later. */
export function addToLot(lots: Lots, { bookingId, expiresAt, points }: LotPart): void {
  let place = lots.all.length;
  while (place > 0 && (lots.all[place - 1]?.expiresAt ?? 0) > expiresAt) place -= 1;
  lots.left += points;
  for (let own = place - 1; own >= 0 && lots.all[own]?.expiresAt === expiresAt; own -= 1) {
    const lot = lots.all[own];
    if (lot?.bookingId !== bookingId) continue;
    lot.remaining += points;
    lots.first = Math.min(lots.first, own);
    return;
  }
  lots.all.splice(place, 0, { bookingId, expiresAt, remaining: points });
  lots.first = Math.min(lots.first, place);
}

/** Deducts the allocated parts. */
export function deductParts(lots: Lots, parts: readonly LotPart[]): void {
  let from = lots.first;
  for (const { bookingId, expiresAt, points } of parts) {
    const isIt = (lot: Lot) => lot.bookingId === bookingId && lot.expiresAt === expiresAt;
    let place = lots.all.findIndex((lot, index) => index >= from && isIt(lot));
    if (place < 0) place = lots.all.findIndex(isIt);
    const lot = lots.all[place];
    if (lot === undefined || lot.remaining < points) throw new Error(`${points} points are not where they were found`);
    lot.remaining -= points;
    lots.left -= points;
    from = place;
  }
  while (lots.all[lots.first]?.remaining === 0) lots.first += 1;
}

/**
 * Finds lots for at most `points` that have not expired by `at`: first the lot of `bookingId`, then those that expire
 * soonest.
 */
export function allocateParts(lots: Lots, points: number, at: Instant, bookingId?: string): readonly LotPart[] {
  const parts: LotPart[] = [];
  let missing = points;
  const look = (lot: Lot) => {
    const found = lot.expiresAt > at ? Math.min(lot.remaining, missing) : 0;
    if (found === 0) return;
    parts.push({ bookingId: lot.bookingId, expiresAt: lot.expiresAt, points: found });
    missing -= found;
  };
  const own = bookingId === undefined ? undefined : lots.all.find((lot) => lot.bookingId === bookingId);
  if (own !== undefined) look(own);
  for (let place = lots.first; missing > 0 && place < lots.all.length; place += 1) {
    const lot = lots.all[place];
    if (lot !== undefined && lot !== own) look(lot);
  }
  return parts;
}

/** Points that expire by `at`, by month, the earliest first; includes months with no points left. */
export function expiringByMonth(lots: Lots, at: Instant): readonly (readonly [expiresAt: Instant, points: number])[] {
  const months: [Instant, number][] = [];
  for (const { expiresAt, remaining } of lots.all) {
    if (expiresAt > at) break;
    const last = months.at(-1);
    if (last?.[0] === expiresAt) last[1] += remaining;
    else months.push([expiresAt, remaining]);
  }
  return months;
}

/** Removes the lots that expire at `expiresAt` or before. */
export function dropExpired(lots: Lots, expiresAt: Instant): void {
  const kept = lots.all.findIndex((lot) => lot.expiresAt > expiresAt);
  const ended = lots.all.splice(0, kept < 0 ? lots.all.length : kept);
  for (const { remaining } of ended) lots.left -= remaining;
  lots.first = Math.max(0, lots.first - ended.length);
}

export function totalPoints(parts: readonly LotPart[]): number {
  return parts.reduce((sum, { points }) => sum + points, 0);
}
