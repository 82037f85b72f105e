import { expect, test } from "@jest/globals";
import { Backoff } from "../../src/real-time/index.ts";

test("pauses double up to the longest, each shortened by at most a half, and begin again after a success", () => {
  const backOff = new Backoff({ initialMs: 100, maxMs: 1_000 });
  for (const full of [100, 200, 400, 800, 1_000, 1_000]) {
    const pause = backOff.nextDelay();
    expect(pause).toBeGreaterThanOrEqual(full / 2);
    expect(pause).toBeLessThanOrEqual(full);
  }
  backOff.reset();
  expect(backOff.nextDelay()).toBeLessThanOrEqual(100);
});

test("a pause ends when the signal aborts", async () => {
  const abort = new AbortController();
  const pause = new Backoff({ initialMs: 3_600_000, maxMs: 3_600_000 }).pause(abort.signal);
  abort.abort();
  await pause;
});
