import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { PACE_TOLERANCE, reserveAttempts } from "../../src/index.ts";

test("no more attempts than the pace begin within any second, however they are asked for, and late by the tolerance", () => {
  const pauses = fc.array(fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 3_000 })), { maxLength: 400 });
  const delays = fc.array(fc.nat({ max: PACE_TOLERANCE }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), pauses, delays, (pace, asked, late) => {
      const times: number[] = [];
      let [now, expectedAt] = [1_000_000, 0];
      for (const pause of asked) {
        now += pause;
        const reserved = reserveAttempts(expectedAt, pace, now);
        if ("waitMs" in reserved) continue;
        expectedAt = reserved.expectedAt;
        for (let n = 0; n < reserved.attempts; n += 1) times.push(now + (late[times.length % late.length] ?? 0));
      }
      times.sort((one, other) => one - other);
      for (const [index, time] of times.entries()) {
        expect((times[index + pace] ?? time + 1_000) - time).toBeGreaterThanOrEqual(1_000);
      }
    }),
  );
});

test.each([1, 3, 20, 100, 1_000])("a pace of %d is reached but for a tenth, by whoever asks when told", (pace) => {
  let [now, expectedAt, count] = [0, 0, 0];
  while (now < 60_000) {
    const reserved = reserveAttempts(expectedAt, pace, now);
    if ("waitMs" in reserved) now += Math.max(reserved.waitMs, PACE_TOLERANCE);
    else {
      expectedAt = reserved.expectedAt;
      count += reserved.attempts;
    }
  }
  expect(count).toBeGreaterThan(0.9 * 60 * pace);
});

test("a clock that is set back, or a pace that gets faster, holds nothing up", () => {
  expect(reserveAttempts(3_600_000, 10, 1_000)).toStrictEqual({ attempts: 1, expectedAt: 1_105 });
  const slow = reserveAttempts(0, 1, 1_000);
  expect(slow).toStrictEqual({ attempts: 1, expectedAt: 2_050 });
  expect(reserveAttempts(2_050, 1, 1_500)).toStrictEqual({ waitMs: 525 });
  expect(reserveAttempts(2_050, 10, 1_500)).toStrictEqual({ attempts: 1, expectedAt: 1_605 });
});
