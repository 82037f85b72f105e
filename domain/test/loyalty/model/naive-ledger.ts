import { DAY } from "../../../src/index.ts";

interface NaiveLot {
  readonly bookingId: string | null;
  readonly expiresAt: number;
  /** When it was earned: what decides which is the oldest. */
  readonly order: number;
  left: number;
}

/** The rules of points written down a second time, as slowly and plainly as can be: by hand, lot by lot. */
export class NaiveLedger {
  readonly lots: NaiveLot[] = [];
  readonly kept = new Map<string, { readonly points: number; readonly from: readonly [NaiveLot, number][] }>();
  balance = 0;
  lifetime = 0;
  credit = 0;
  /** Points that were spent before they were taken back. */
  owed = 0;
  #order = 0;

  /** Day by day: whatever has reached the end of its month is gone. */
  passTo(now: number): void {
    for (const lot of this.lots) {
      if (lot.expiresAt > now || lot.left === 0) continue;
      this.balance -= lot.left;
      lot.left = 0;
    }
  }

  /** What operators add to points that end with the same month is as old as the first of it. */
  add(bookingId: string | null, earnedAt: number, points: number): void {
    const expiresAt = endOfLife(earnedAt);
    const same = this.lots.find((lot) => lot.bookingId === bookingId && lot.expiresAt === expiresAt);
    this.#order += 1;
    this.lots.push({ bookingId, expiresAt, order: same?.order ?? this.#order, left: points });
    this.balance += points;
    this.#payOff();
  }

  /** Whatever there is goes to what is owed, before it can be spent or expire. */
  #payOff(): void {
    const paid = Math.min(this.owed, this.spendable());
    this.take(paid);
    this.owed -= paid;
  }

  /** Credit comes in, and pays what is owed before anything else. */
  bank(cents: number): void {
    this.credit += cents;
    this.owed -= this.takeCredit(this.owed);
  }

  /** Credit goes back for what it cost, a cent for a point. */
  takeCredit(points: number): number {
    const taken = Math.min(this.credit, points);
    this.credit -= taken;
    this.balance += taken;
    return taken;
  }

  spendable(): number {
    return this.lots.reduce((sum, { left }) => sum + left, 0);
  }

  /** Takes from the lots of a booking first, then from what expires first, then from what came first. */
  take(points: number, bookingId?: string): [NaiveLot, number][] {
    const taken: [NaiveLot, number][] = [];
    const inOrder = this.lots.toSorted(
      (one, other) =>
        Number(other.bookingId === bookingId) - Number(one.bookingId === bookingId) ||
        one.expiresAt - other.expiresAt ||
        one.order - other.order,
    );
    let missing = points;
    for (const lot of inOrder) {
      const some = Math.min(lot.left, missing);
      if (some === 0) continue;
      lot.left -= some;
      missing -= some;
      taken.push([lot, some]);
    }
    return taken;
  }

  free(redemptionId: string, now: number): void {
    for (const [lot, points] of this.kept.get(redemptionId)?.from ?? []) lot.left += points;
    this.kept.delete(redemptionId);
    this.#payOff();
    this.passTo(now);
  }

  /** What can be spent, by the moment it is gone. */
  months(): readonly (readonly [number, number])[] {
    const sums = new Map<number, number>();
    for (const { expiresAt, left } of this.lots) if (left > 0) sums.set(expiresAt, (sums.get(expiresAt) ?? 0) + left);
    return [...sums].sort(([one], [other]) => one - other);
  }
}

/** Goes day by day until the month 24 months on is over. */
function endOfLife(earnedAt: number): number {
  const earned = new Date(earnedAt);
  const wanted = (earned.getUTCFullYear() + 2) * 12 + earned.getUTCMonth();
  let day = Math.floor(earnedAt / DAY) * DAY + 2 * 364 * DAY;
  for (;;) {
    const date = new Date(day);
    if (date.getUTCFullYear() * 12 + date.getUTCMonth() > wanted) return day;
    day += DAY;
  }
}
