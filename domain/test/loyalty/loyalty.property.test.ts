import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { fold, type LoyaltyEvent, lastSpendableDay, loyaltyDecider } from "../../src/index.ts";
import { LoyaltyModel } from "./model/loyalty-model.ts";
import { steps } from "./model/steps.ts";

/** The balance is the sum of the postings, exact after each of them. Only what a refund takes back makes it negative. */
function checkPostings(log: readonly LoyaltyEvent[]): number {
  let balance = 0;
  const ids = new Set<string>();
  for (const { type, data } of log) {
    if (!("posting" in data) || data.posting === null) continue;
    const { id, points, balanceAfter } = data.posting;
    balance += points;
    expect(points).not.toBe(0);
    expect(balanceAfter).toBe(balance);
    if (points < 0 && balance < 0) expect(["PointsReversed", "PointsRedeemed"]).toContain(type);
    expect(ids.has(id)).toBe(false);
    ids.add(id);
  }
  return balance;
}

describe("an account over the years", () => {
  test("agrees with one kept by hand: balance, what expires when, lifetime points, credit", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(steps, (life) => {
        const world = new LoyaltyModel();
        for (const step of life) {
          world.take(step);
          const { state, books } = world;
          const { balance, lifetime, credit, lots, debt } = state;
          if (debt > 0) seen.add("points owed");
          expect(Math.min(debt, credit)).toBe(0);
          if (debt > 0 && books.kept.size > 0) seen.add("points owed while some are set aside");
          const months = lots.months.filter(({ left }) => left > 0).map(({ expiresAt, left }) => [expiresAt, left]);
          expect([balance, lifetime, credit, lots.left, debt, months]).toStrictEqual([
            books.balance,
            books.lifetime,
            books.credit,
            books.spendable(),
            books.owed,
            books.months(),
          ]);
        }
        expect(world.state.balance).toBe(checkPostings(world.log));
        const { length } = world.log;
        const copy = loyaltyDecider.copy?.(world.state);
        const restored = loyaltyDecider.copy?.(structuredClone(world.state));
        world.take({ do: "adjust", points: 5_000 });
        world.take({ do: "setAside", reward: "lounge_access" });
        expect(copy).toStrictEqual(fold(loyaltyDecider, world.log.slice(0, length)));
        expect(restored).toStrictEqual(copy);
        expect(world.state).toStrictEqual(fold(loyaltyDecider, world.log));
        for (const { type } of world.log) seen.add(type);
        for (const event of world.log) {
          if (event.type === "PointsEarned") expect(lastSpendableDay(event.data.expiresAt)).toMatch(/-(28|29|30|31)$/);
        }
      }),
      { numRuns: 200 },
    );
    expect([...seen].sort()).toStrictEqual([
      "CreditClaimed",
      "CreditReturned",
      "CreditTakenBack",
      "PointsAdjusted",
      "PointsEarned",
      "PointsExpired",
      "PointsFreed",
      "PointsRedeemed",
      "PointsReversed",
      "PointsSetAside",
      "points owed",
      "points owed while some are set aside",
    ]);
  });
});
