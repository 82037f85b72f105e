import { describeJobQueue, TEST_BACK_OFF } from "../../contract/job-queue-contract.ts";
import { InMemoryJobQueue } from "../../src/job-queue/memory.ts";

describeJobQueue("memory", async () => {
  const problems: unknown[] = [];
  const queue = new InMemoryJobQueue({ onProblem: (problem) => problems.push(problem), backOff: TEST_BACK_OFF });
  return { instances: [queue], problems, dispose: async () => undefined };
});
