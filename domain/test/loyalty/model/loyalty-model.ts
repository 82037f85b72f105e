import { expect } from "@jest/globals";
import {
  costOf,
  type LoyaltyCommand,
  type LoyaltyEvent,
  type LoyaltyState,
  loyaltyDecider,
} from "../../../src/index.ts";
import { ACCOUNT, ofAccount, T0 } from "../fixtures.ts";
import { NaiveLedger } from "./naive-ledger.ts";
import type { Step } from "./steps.ts";

interface ExpectedCommand {
  readonly command: LoyaltyCommand;
  readonly possible: boolean;
}

interface Flown {
  readonly bookingId: string;
  readonly departsAt: number;
  /** Points for what was paid. */
  readonly most: number;
  points: number;
  readonly refundIds: string[];
}

/** An account over the years, and the same told by hand; every step is done in both, and they must agree. */
export class LoyaltyModel {
  readonly log: LoyaltyEvent[] = [];
  readonly books = new NaiveLedger();
  readonly #done: LoyaltyCommand[] = [];
  readonly #flown: Flown[] = [];
  readonly #claims = new Map<string, number>();
  readonly #gone = new Set<string>();
  state: LoyaltyState = loyaltyDecider.initialState();
  now = T0;
  #ids = 0;

  take(step: Step): void {
    if (step.do === "wait") this.now += step.ms;
    this.books.passTo(this.now);
    const asked = this.#byHand(step);
    if (asked === undefined) return;
    const { command, possible } = asked;
    const before = this.log.length;
    expect(this.#record(command) === undefined).toBe(possible);
    if (!possible || !this.#hasDone(before)) return;
    this.#done.push(command);
    this.#again(command);
  }

  /** Does a step in the books kept by hand; answers what does the same to the account, and whether it may. */
  #byHand(step: Step): ExpectedCommand | undefined {
    switch (step.do) {
      case "wait":
        return { command: { type: "ExpirePoints", ...ofAccount }, possible: true };
      case "fly": {
        const departsAt = this.now - step.ago;
        const { points } = step;
        const flown = { bookingId: this.#id("bkg"), departsAt, most: points, points, refundIds: [] };
        this.#flown.push(flown);
        this.books.add(flown.bookingId, departsAt, points);
        this.books.lifetime += points;
        return { command: posting(flown), possible: true };
      }
      case "refund": {
        const flown = pickFrom(this.#flown, step.pick);
        if (flown === undefined) return undefined;
        const before = flown.points;
        flown.points = Math.floor((flown.points * step.percent) / 100);
        flown.refundIds.push(this.#id("rfd"));
        const difference = before - flown.points;
        const left = difference - this.books.takeCredit(difference);
        const taken = this.books.take(left, flown.bookingId);
        this.books.owed += left - taken.reduce((sum, [, points]) => sum + points, 0);
        this.books.balance -= difference;
        this.books.lifetime -= difference;
        return { command: posting(flown), possible: true };
      }
      case "oldNews": {
        const flown = pickFrom(this.#flown, step.pick);
        if (flown === undefined) return undefined;
        return {
          command: posting({ ...flown, points: flown.most, refundIds: flown.refundIds.slice(0, -1) }),
          possible: true,
        };
      }
      case "adjust": {
        const possible = step.points > 0 || (step.points !== 0 && this.books.spendable() + step.points >= 0);
        if (possible && step.points > 0) this.books.add(null, this.now, step.points);
        else if (possible) {
          this.books.take(-step.points);
          this.books.balance += step.points;
        }
        const adjustmentId = this.#id("adj");
        return {
          command: { type: "AdjustPoints", ...ofAccount, adjustmentId, points: step.points, reason: "r" },
          possible,
        };
      }
      case "redeem": {
        const possible = this.books.spendable() >= costOf(step.reward);
        if (possible) {
          this.books.take(costOf(step.reward));
          this.books.balance -= costOf(step.reward);
          if (step.reward === "booking_credit") this.books.bank(10_000);
        }
        const redemptionId = this.#id("red");
        return {
          command: { type: "RedeemPoints", ...ofAccount, redemptionId, reward: step.reward },
          possible,
        };
      }
      case "setAside": {
        const points = costOf(step.reward);
        const possible = this.books.spendable() >= points;
        const redemptionId = this.#id("red");
        if (possible) this.books.kept.set(redemptionId, { points, from: this.books.take(points) });
        const bookingId = "bkg_9";
        return {
          command: { type: "SetPointsAside", ...ofAccount, redemptionId, reward: step.reward, bookingId },
          possible,
        };
      }
      case "end": {
        const [redemptionId, kept] = pickFrom([...this.books.kept], step.pick) ?? [];
        if (redemptionId === undefined || kept === undefined) return undefined;
        if (!step.given) {
          this.books.free(redemptionId, this.now);
          return { command: { type: "FreePoints", ...ofAccount, redemptionId, code: "c" }, possible: true };
        }
        this.books.kept.delete(redemptionId);
        this.books.balance -= kept.points;
        this.books.bank(step.banked);
        return {
          command: { type: "CompleteRedemption", ...ofAccount, redemptionId, banked: step.banked },
          possible: true,
        };
      }
      case "claim": {
        const bookingId = this.#id("bkg");
        const { most: maxAmount, currency } = step;
        const amount = currency === "USD" ? Math.min(this.books.credit, maxAmount) : 0;
        if (amount > 0) this.#claims.set(bookingId, amount);
        this.books.credit -= amount;
        return { command: { type: "ClaimCredit", ...ofAccount, bookingId, maxAmount, currency }, possible: true };
      }
      case "returnClaim": {
        const bookingId = pickFrom(this.#open(), step.pick);
        if (bookingId === undefined) return undefined;
        this.#giveBack(bookingId);
        return { command: { type: "ReturnClaim", ...ofAccount, bookingId }, possible: true };
      }
      case "giveUp": {
        const bookingId = pickFrom(this.#open(), step.pick);
        if (bookingId === undefined) return undefined;
        const amount = this.#giveBack(bookingId);
        const creditId = `${bookingId}/cancelled`;
        return { command: { type: "ReturnCredit", ...ofAccount, creditId, bookingId, amount }, possible: true };
      }
      case "repeat": {
        const command = pickFrom(this.#done, step.pick);
        if (command !== undefined) this.#again(command);
        return undefined;
      }
    }
  }

  #open(): readonly string[] {
    return [...this.#claims.keys()].filter((bookingId) => !this.#gone.has(bookingId));
  }

  #giveBack(bookingId: string): number {
    this.#gone.add(bookingId);
    const amount = this.#claims.get(bookingId) ?? 0;
    this.books.bank(amount);
    return amount;
  }

  /** Whatever was done comes again: nothing happens. */
  #again(command: LoyaltyCommand): void {
    const before = this.log.length;
    this.#record(command);
    expect(this.#hasDone(before)).toBe(false);
  }

  /** Whether anything has come of a command besides what the clock has brought about. */
  #hasDone(before: number): boolean {
    return this.log.slice(before).some(({ type }) => type !== "PointsExpired");
  }

  #record(command: LoyaltyCommand) {
    const decision = loyaltyDecider.decide(command, this.state, this.now);
    for (const event of decision.events) {
      this.log.push(event);
      this.state = loyaltyDecider.evolve(this.state, structuredClone(event));
    }
    return decision.rejection;
  }

  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}_${this.#ids}`;
  }
}

function posting({ bookingId, departsAt, points, refundIds }: Flown): LoyaltyCommand {
  const paid = { amount: 100 * points, points, pending: 0, refundIds: [...refundIds] };
  return { type: "PostBooking", accountId: ACCOUNT, bookingId, departsAt, ...paid };
}

function pickFrom<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(1, items.length)];
}
