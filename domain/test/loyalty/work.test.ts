import { describe, expect, test } from "@jest/globals";
import { DAY, type LoyaltyCommand, type LoyaltyState, loyaltyDecider } from "../../src/index.ts";
import { ACCOUNT, NEXT_MONTH_END, post, T0 } from "./fixtures.ts";

/** Counts what is done with the collections of an account: each element and each property that is touched. */
class Work {
  touched = 0;

  /** The object, its collections and those inside them, counted. */
  counted<Value extends object>(value: Value): Value {
    return new Proxy(value, {
      get: (target, name) => {
        this.touched += 1;
        const found: unknown = Reflect.get(target, name);
        if (typeof found === "function") return this.#countedCall(target, found);
        return typeof found === "object" && found !== null ? this.counted(found) : found;
      },
    });
  }

  #countedCall(target: object, method: unknown): unknown {
    // Methods of arrays touch elements one by one; those of maps and sets find theirs at once.
    if (Array.isArray(target)) return method;
    return (...given: readonly unknown[]) => Reflect.apply(method as () => unknown, target, given);
  }
}

function apply(state: LoyaltyState, command: LoyaltyCommand, at: number): LoyaltyState {
  const { events, rejection } = loyaltyDecider.decide(command, state, at);
  if (rejection !== undefined) throw new Error(rejection.code);
  return events.reduce((folded, event) => loyaltyDecider.evolve(folded, event), state);
}

const flown = (number: number) => post({ bookingId: `bkg_${number}`, amount: 500_000, pending: 5_000 });
const reversed = (number: number) =>
  post({ bookingId: `bkg_${number}`, amount: 400_000, pending: 5_000, refundIds: [`rfd_${number}`] });
const ofAccount = { accountId: ACCOUNT };
const setAside = (id: string) =>
  ({ type: "SetPointsAside", ...ofAccount, redemptionId: id, reward: "lounge_access", bookingId: "bkg_1" }) as const;
const freed = (id: string) => ({ type: "FreePoints", ...ofAccount, redemptionId: id, code: "refused" }) as const;

/** An account with so many flown bookings, the points of all but the last ten spent again. */
function account(bookings: number): LoyaltyState {
  let state = loyaltyDecider.initialState();
  state = apply(state, setAsideOfFirst.book, T0);
  state = apply(state, setAsideOfFirst.set, T0);
  for (let number = 1; number <= bookings; number += 1) {
    state = apply(state, flown(number), T0 + number);
    if (number <= bookings - 10) {
      const redemptionId = `red_${number}`;
      state = apply(state, { type: "RedeemPoints", ...ofAccount, redemptionId, reward: "lounge_access" }, T0 + number);
    }
  }
  return state;
}

const setAsideOfFirst = { book: flown(0), set: setAside("first") };

/** What the commands of a busy day touch. */
function workOf(bookings: number): Readonly<Record<string, number>> {
  const work = new Work();
  const state = work.counted(account(bookings));
  const at = T0 + DAY;
  const counts: Record<string, number> = {};
  const count = (name: string, command: LoyaltyCommand) => {
    work.touched = 0;
    apply(state, command, at);
    counts[name] = work.touched;
  };
  count("earn", flown(bookings + 1));
  count("a repeated command of long ago", flown(1));
  count("points come back to the oldest lot, which was empty", freed("first"));
  count("redeem from that", setAside("again"));
  count("redeem from the newest, behind all the empty ones", setAside("second"));
  count("reverse the newest", reversed(bookings));
  count("reverse a spent one", reversed(2));
  const ofBooking = { ...ofAccount, bookingId: "bkg_new" };
  count("return credit", { type: "ReturnCredit", ...ofBooking, creditId: "bkg_1/cancelled", amount: 100 });
  count("claim credit", { type: "ClaimCredit", ...ofBooking, maxAmount: 60, currency: "USD" });
  count("return a claim", { type: "ReturnClaim", ...ofBooking });
  count("adjust", { type: "AdjustPoints", ...ofAccount, adjustmentId: "adj_1", points: 1, reason: "a gift" });
  expect(state.credit).toBe(100);
  work.touched = 0;
  apply(state, { type: "ExpirePoints", ...ofAccount }, NEXT_MONTH_END);
  counts["expire what is left"] = work.touched;
  expect(state.lots.left).toBe(0);
  return counts;
}

describe("what a command on an account costs", () => {
  test("does not depend on how many bookings it has flown", () => {
    const few = workOf(1_000);
    const many = workOf(100_000);
    expect(many).toStrictEqual(few);
  });
});
