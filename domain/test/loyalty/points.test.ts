import { describe, expect, test } from "@jest/globals";
import { lastSpendableDay, pointsExpireAt, pointsFor } from "../../src/index.ts";

describe("points", () => {
  test("are one per whole dollar", () => {
    expect([0, 99, 100, 129_999, -1].map(pointsFor)).toStrictEqual([0, 0, 1, 1_299, 0]);
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
