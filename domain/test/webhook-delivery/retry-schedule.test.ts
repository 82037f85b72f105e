import { describe, expect, test } from "@jest/globals";
import { RETRY_DELAYS, retryDelay } from "../../src/index.ts";

const MIDDLE = 0.5;

describe("pauses between attempts", () => {
  test("without jitter they are those of the schedule: ten attempts over three days", () => {
    const pauses = RETRY_DELAYS.map((_, failures) => retryDelay(failures, MIDDLE, null));
    const [s, m, h] = [1_000, 60_000, 3_600_000];
    expect(pauses).toStrictEqual([0, 5 * s, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h]);
    expect(retryDelay(10, MIDDLE, null)).toBeUndefined();
    expect(retryDelay(11, MIDDLE, null)).toBeUndefined();
  });

  test("jitter moves them by a fifth either way", () => {
    expect([0, 0.25, 0.75, 1].map((chance) => retryDelay(1, chance, null))).toStrictEqual([4_000, 4_500, 5_500, 6_000]);
    expect([0, 1].map((chance) => retryDelay(9, chance, null))).toStrictEqual([69_120_000, 103_680_000]);
  });

  test.each([
    // What the receiver asks for, and what it gets instead of 5 s.
    [0, 5_000],
    [4_999, 5_000],
    [7_000, 7_000],
    [10_000, 10_000],
    [10_001, 10_000],
    [1e12, 10_000],
  ])("Retry-After of %d ms is heeded between one and two pauses", (retryAfter, pause) => {
    expect(retryDelay(1, MIDDLE, retryAfter)).toBe(pause);
  });

  test("Retry-After does not make the last attempt another one", () => {
    expect(retryDelay(10, MIDDLE, 60_000)).toBeUndefined();
  });
});
