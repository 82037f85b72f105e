import { describe, expect, test } from "@jest/globals";
import { tierOf, tierProgressOf } from "../../src/index.ts";

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
