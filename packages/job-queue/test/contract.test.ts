import { MemoryJobQueue } from "@travel-booking/job-queue";
import { describeJobQueue, TEST_PAUSES } from "@travel-booking/job-queue/contract";

describeJobQueue("memory", async () => {
  const problems: unknown[] = [];
  const queue = new MemoryJobQueue({ onProblem: (problem) => problems.push(problem), pauses: TEST_PAUSES });
  return { instances: [queue], problems, dispose: async () => undefined };
});
