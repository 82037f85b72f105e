import { expect, test } from "@jest/globals";
import { describeJobQueue, RecordingJobHandler } from "../../contract/job-queue-contract.ts";
import { InMemoryJobQueue } from "../../src/job-queue/memory.ts";

describeJobQueue("memory", async () => ({ instances: [new InMemoryJobQueue()], dispose: async () => undefined }));

test("of several wake-ups of a lane that wait in memory, one is left", async () => {
  const queue = new InMemoryJobQueue();
  for (const delay of [60, 20, 40, 0, 0]) await queue.schedule("a", delay);
  await queue.schedule("b", 40);
  await queue.schedule("b", 30);
  const runs = new RecordingJobHandler();
  queue.startWorker(runs.handler);
  await queue.schedule("last", 100);
  await runs.waitUntil(({ ended }) => ended.includes("last"));
  expect(runs.started).toStrictEqual(["a", "b", "last"]);
});
