import { expect, test } from "@jest/globals";
import { describeJobQueue, TEST_BACK_OFF } from "../../contract/job-queue-contract.ts";
import { EnqueueLimiter } from "../../src/job-queue/bullmq/bullmq-job-queue.ts";
import { throttleErrors } from "../../src/job-queue/bullmq/bullmq-job-worker.ts";
import { backOffDelay } from "../../src/job-queue/index.ts";
import { InMemoryJobQueue } from "../../src/job-queue/memory.ts";

describeJobQueue("memory", async () => {
  const problems: unknown[] = [];
  const queue = new InMemoryJobQueue({ onProblem: (problem) => problems.push(problem), backOff: TEST_BACK_OFF });
  return { instances: [queue], problems, dispose: async () => undefined };
});

test.each([
  [1, 1_000],
  [2, 2_000],
  [6, 32_000],
  [7, 60_000],
  [1_000_000, 60_000],
])("after %i failures: %i ms", (failures, pause) => {
  expect(backOffDelay(failures, { initialMs: 1_000, maxMs: 60_000 })).toBe(pause);
});

test("of one kind, one; of thousands of kinds, each, with no memory of all of them", () => {
  const told: string[] = [];
  const tell = throttleErrors(({ message }) => told.push(message));
  for (let time = 0; time < 5; time += 1) for (const kind of ["a", "b"]) tell(new Error(kind));
  expect(told).toStrictEqual(["a", "b"]);
  for (let kind = 0; kind < 1_000; kind += 1) tell(new Error(`kind ${kind}`));
  expect(told.length).toBe(1_002);
});

/** What was sent; each is kept when the test says. */
function recorded() {
  const sent: { lane: string; delayMs: number; kept: PromiseWithResolvers<void> }[] = [];
  const sender = new EnqueueLimiter((lane, delayMs) => {
    const kept = Promise.withResolvers<void>();
    sent.push({ lane, delayMs, kept });
    return kept.promise;
  });
  return { sent, sender };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a hundred at a time; those of one lane that wait are sent as one, for the soonest", async () => {
  const { sent, sender } = recorded();
  const first = Array.from({ length: 100 }, (_, index) => sender.send(`lane ${index}`, 0));
  const waiting = [60_000, 1_000, 30_000].map((delayMs) => sender.send("a", delayMs));
  const last = sender.send("b", 0);
  expect(sent.length).toBe(100);
  sent[7]?.kept.resolve();
  await first[7];
  await turn();
  expect(sent.slice(100).map(({ lane, delayMs }) => [lane, delayMs > 0 && delayMs <= 1_000])).toStrictEqual([
    ["a", true],
  ]);
  for (const { kept } of sent) kept.resolve();
  await Promise.all([...first, ...waiting]);
  await turn();
  for (const { kept } of sent) kept.resolve();
  await last;
  expect(sent.length).toBe(102);
});

test("those that wait fail with one that fails, and later ones are sent", async () => {
  const { sent, sender } = recorded();
  const first = Array.from({ length: 100 }, (_, index) => sender.send(`lane ${index}`, 0));
  const waiting = sender.send("a", 0);
  sent[0]?.kept.reject(new Error("away"));
  await expect(first[0]).rejects.toStrictEqual(new Error("away"));
  await expect(waiting).rejects.toStrictEqual(new Error("away"));
  const later = sender.send("a", 0);
  for (const { kept } of sent) kept.resolve();
  await Promise.all([...first.slice(1), later]);
  expect(sent.map(({ lane }) => lane).slice(100)).toStrictEqual(["a"]);
});
