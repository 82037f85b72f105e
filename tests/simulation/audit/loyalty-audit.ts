import type { LoyaltyEvent, Posting } from "@travel-booking/domain";
import type { BookingAudit } from "./booking-audit.ts";
import { invariant } from "./invariant.ts";

const CREDIT = 10_000;

interface AuditedRedemption {
  readonly bookingId: string | null;
  readonly reward: string;
  readonly points: number;
  status: "set aside" | "completed" | "freed";
}

/** Re-does the books of one account from its events alone. */
export class LoyaltyAudit {
  readonly redemptions = new Map<string, AuditedRedemption>();
  /** By booking. */
  readonly #earned = new Map<string, number>();
  readonly #returned = new Set<string>();
  /** Points by the id of the adjustment. */
  readonly #adjusted = new Map<string, number>();
  #balance = 0;
  #lifetime = 0;
  #bank = 0;
  /** Cents of credit that went back for points. */
  #takenBack = 0;
  #lastAt = 0;

  apply(event: LoyaltyEvent): void {
    invariant(event.at >= this.#lastAt, "time went back on a loyalty account");
    this.#lastAt = event.at;
    if ("posting" in event.data) this.#post(event.data.posting);
    switch (event.type) {
      case "PointsEarned":
      case "PointsReversed": {
        const { bookingId, lifetimeAfter, posting } = event.data;
        const earned = this.#earned.get(bookingId);
        invariant((earned === undefined) === (event.type === "PointsEarned"), `${bookingId} earned not once`);
        const points = posting?.points ?? 0;
        this.#earned.set(bookingId, (earned ?? 0) + points);
        this.#lifetime += points;
        invariant(lifetimeAfter === this.#lifetime, "lifetime points do not add up");
        return;
      }
      case "PointsSetAside": {
        const { redemptionId, bookingId, reward, points } = event.data;
        invariant(!this.redemptions.has(redemptionId), `${redemptionId} began twice`);
        this.redemptions.set(redemptionId, { bookingId, reward, points, status: "set aside" });
        this.#checkSpendable();
        return;
      }
      case "PointsRedeemed": {
        const { redemptionId, bookingId, reward, banked, posting } = event.data;
        const before = this.redemptions.get(redemptionId)?.status;
        invariant(before !== "completed", `${redemptionId} was paid for twice`);
        invariant(before !== "freed", `${redemptionId} was freed and paid for`);
        this.redemptions.set(redemptionId, { bookingId, reward, points: -posting.points, status: "completed" });
        this.#bank += banked;
        // What was set aside is paid even if the rest has been taken back since.
        if (before === undefined) this.#checkSpendable();
        return;
      }
      case "PointsFreed": {
        const redemption = this.redemptions.get(event.data.redemptionId);
        invariant(redemption?.status === "set aside", `${event.data.redemptionId} was freed and not set aside`);
        redemption.status = "freed";
        return;
      }
      case "CreditClaimed":
        this.#bank -= event.data.amount;
        invariant(this.#bank >= 0, "more credit was claimed than there was");
        return;
      case "CreditReturned":
        invariant(!this.#returned.has(event.data.creditId), `${event.data.creditId} came back twice`);
        this.#returned.add(event.data.creditId);
        this.#bank += event.data.amount;
        return;
      case "CreditTakenBack": {
        const { amount, posting } = event.data;
        invariant(posting.points === amount, "credit was taken back for other points than it cost");
        this.#bank -= amount;
        this.#takenBack += amount;
        invariant(this.#bank >= 0, "more credit was taken back than there was");
        return;
      }
      case "PointsAdjusted":
        invariant(!this.#adjusted.has(event.data.adjustmentId), `${event.data.adjustmentId} was adjusted twice`);
        this.#adjusted.set(event.data.adjustmentId, event.data.posting.points);
        if (event.data.posting.points < 0) this.#checkSpendable();
        return;
      case "PointsExpired":
        if ((event.data.posting?.points ?? 0) < 0) this.#checkSpendable();
    }
  }

  /** When nothing is under way at this moment: `bookings` are those of this account. */
  checkFinalState(bookings: ReadonlyMap<string, BookingAudit>, at: number): void {
    for (const [redemptionId, { status, bookingId, reward }] of this.redemptions) {
      invariant(status !== "set aside", `${redemptionId} is set aside for ever`);
      if (bookingId === null) continue;
      const given = bookings.get(bookingId)?.rewards.get(redemptionId);
      invariant((given === reward) === (status === "completed"), `${redemptionId} is ${status}, given: ${given}`);
    }
    const completed = [...this.redemptions.values()].filter(
      ({ status, reward }) => status === "completed" && reward === "booking_credit",
    );
    let [onBookings, kept] = [0, 0];
    for (const [bookingId, booking] of bookings) {
      onBookings += booking.creditKept();
      const points = booking.pointsKept(at);
      invariant((this.#earned.get(bookingId) ?? 0) === points, `${bookingId} earned other than ${points} points`);
      kept += points;
      const back = booking.cancelledByFlight || booking.refundedByCase ? this.#spentOn(bookingId) : 0;
      invariant(
        (this.#adjusted.get(bookingId) ?? 0) === back,
        `${bookingId} gave back other than ${back} spent points`,
      );
      for (const redemptionId of booking.rewards.keys()) {
        invariant(this.redemptions.has(redemptionId), `${bookingId} was given ${redemptionId} for nothing`);
      }
    }
    invariant(this.#lifetime === kept, `${this.#lifetime} lifetime points for ${kept}`);
    invariant(this.#bank + onBookings + this.#takenBack === completed.length * CREDIT, "cents of credit went astray");
    invariant(this.#balance >= 0 || this.#bank === 0, "an account owes points and has credit");
  }

  /** Points for what a booking was given, without those for credit. */
  #spentOn(bookingId: string): number {
    return [...this.redemptions.values()]
      .filter((each) => each.bookingId === bookingId && each.status === "completed" && each.reward !== "booking_credit")
      .reduce((sum, { points }) => sum + points, 0);
  }

  #post(posting: Posting | null): void {
    if (posting === null) return;
    this.#balance += posting.points;
    invariant(
      posting.points !== 0 && posting.balanceAfter === this.#balance,
      "the balance is not the sum of its postings",
    );
  }

  /** Only a refund may take more than there is. */
  #checkSpendable(): void {
    const aside = [...this.redemptions.values()].filter(({ status }) => status === "set aside");
    const points = aside.reduce((sum, { points }) => sum + points, 0);
    invariant(points <= this.#balance, "more points were spent than there were");
  }
}
