import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  isMemberNumber,
  lastSpendableDay,
  memberNumberOf,
  pointsExpireAt,
  pointsFor,
  pointsRateOf,
  tierOf,
  tierProgressOf,
} from "../../src/index.ts";

describe("points", () => {
  test.each([
    ["USD", 1, [0, 99, 100, 129_999], [0, 0, 1, 1_299]],
    ["USD", 2, [199, 200], [2, 4]],
    ["USD", 0, [129_999], [0]],
    ["JPY", 1, [0, 1, 129_999], [0, 1, 129_999]],
    ["JPY", 0.01, [99, 100, 12_345], [0, 1, 123]],
    ["KWD", 3, [999, 1_000, 2_999], [0, 3, 6]],
    ["CLF", 1, [9_999, 10_000], [0, 1]],
    ["EUR", 0.29, [9_999, 10_000], [28, 29]],
    ["USD", 999.999, [900_000_000_000], [8_999_991_000_000]],
  ])("are those of each whole unit of the currency: %s at %d", (currency, rate, amounts, points) => {
    const earns = pointsRateOf(new Map([[currency, rate]]), currency);
    expect(amounts.map((amount) => pointsFor(amount, earns))).toStrictEqual(points);
  });

  test("are none for a currency without a rate", () => {
    expect(pointsFor(129_999, pointsRateOf(new Map([["USD", 1]]), "EUR"))).toBe(0);
  });

  test.each([
    ["2027-01-01T00:00:00Z", "2029-01-31"],
    ["2027-01-31T23:59:59Z", "2029-01-31"],
    ["2026-02-10T00:00:00Z", "2028-02-29"],
    ["2027-12-31T23:59:59Z", "2029-12-31"],
  ])("earned at %s are good up to %s", (earnedAt, lastDay) => {
    const expiresAt = pointsExpireAt(Date.parse(earnedAt));
    expect(lastSpendableDay(expiresAt)).toBe(lastDay);
    expect(expiresAt).toBe(Date.parse(`${lastDay}T23:59:59.999Z`) + 1);
  });
});

describe("the tier", () => {
  test.each([
    [0, "voyager"],
    [49_999, "voyager"],
    [50_000, "pioneer"],
    [149_999, "pioneer"],
    [150_000, "admiral"],
    [9_000_000, "admiral"],
  ] as const)("of %i lifetime points", (points, tier) => {
    expect(tierOf(points)).toBe(tier);
  });

  test.each([
    [0, "pioneer", 50_000, 0],
    [49_999, "pioneer", 1, 99],
    [50_000, "admiral", 100_000, 0],
    [75_000, "admiral", 75_000, 25],
    [150_000, null, null, 100],
  ] as const)("progress at %i", (points, nextTier, pointsToNextTier, percent) => {
    expect(tierProgressOf(points)).toStrictEqual({ nextTier, pointsToNextTier, percent });
  });
});

describe("a member number", () => {
  test("is the same for the same account, printable, short enough for a boarding pass", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (accountId) => {
        const number = memberNumberOf(accountId);
        expect(number).toMatch(/^TB[0-9A-Z]{13}$/);
        expect(number).toBe(memberNumberOf(accountId));
        expect(isMemberNumber(number)).toBe(true);
      }),
    );
    expect(memberNumberOf("acc_0190f3c0000070008000000000000000")).toBe(
      memberNumberOf("acc_0190f3c0000070008000000000000000"),
    );
  });

  test("does not survive a wrong character, nor two neighbours changing places", () => {
    const number = memberNumberOf("acc_1");
    for (let place = 2; place < number.length; place += 1) {
      for (const character of "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
        const wrong = number.slice(0, place) + character + number.slice(place + 1);
        if (wrong !== number) expect(isMemberNumber(wrong)).toBe(false);
      }
    }
    expect(isMemberNumber("RF0000000000000")).toBe(false);
  });

  test("differs from account to account", () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => memberNumberOf(`acc_${index}`));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
