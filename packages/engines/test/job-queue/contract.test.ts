import { describeJobQueue, TEST_PAUSES } from "../../contract/job-queue-contract.ts";
import { MemoryJobQueue } from "../../src/job-queue/index.ts";

describeJobQueue("memory", async () => {
  const problems: unknown[] = [];
  const queue = new MemoryJobQueue({ onProblem: (problem) => problems.push(problem), pauses: TEST_PAUSES });
  return { instances: [queue], problems, dispose: async () => undefined };
});
