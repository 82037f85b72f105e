import { afterEach, expect, jest, test } from "@jest/globals";
import { describeRateCounter } from "../contract/rate-counter-contract.ts";
import { InMemoryRateCounter } from "../src/rate-counter/memory.ts";

describeRateCounter("memory", async () => ({ instances: [new InMemoryRateCounter()], dispose: async () => undefined }));

afterEach(() => {
  jest.restoreAllMocks();
});

test("a window ends after its length in real time, too, where the clock was set back", () => {
  const elapsed = jest.spyOn(performance, "now").mockReturnValue(5_000);
  const counter = new InMemoryRateCounter();
  const [now, hour] = [10_000_000, 3_600_000];
  counter.increment("key", now, 60_000);
  elapsed.mockReturnValue(64_999);
  expect(counter.increment("key", now - hour, 60_000)).toStrictEqual({ startedAt: now, count: 2 });
  elapsed.mockReturnValue(65_000);
  expect(counter.increment("key", now - hour, 60_000)).toStrictEqual({ startedAt: now - hour, count: 1 });
});

test("lets go of windows that are over", () => {
  const counter = new InMemoryRateCounter();
  for (let key = 0; key < 100; key += 1) counter.increment(`k${key}`, 1_000, 60_000);
  expect(counter.size).toBe(100);
  counter.increment("other", 61_000, 60_000);
  expect(counter.size).toBe(1);
});

test("holds no more keys than it may", () => {
  const counter = new InMemoryRateCounter(10);
  for (let key = 0; key < 100; key += 1) counter.increment(`k${key}`, 0, 60_000);
  expect(counter.size).toBe(10);
});
