import { expect, test } from "@jest/globals";
import { describeRateCounter } from "../contract/rate-counter-contract.ts";
import { InMemoryRateCounter } from "../src/rate-counter/memory.ts";

describeRateCounter("memory", async () => ({ instances: [new InMemoryRateCounter()], dispose: async () => undefined }));

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
