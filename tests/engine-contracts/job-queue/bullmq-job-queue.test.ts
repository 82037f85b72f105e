import { randomUUID } from "node:crypto";
import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import { describeJobQueue, TEST_BACK_OFF } from "@travel-booking/engines/job-queue/contract";
import { openRedis } from "@travel-booking/engines/redis";
import { describeWith, startRedis } from "../../engines/index.ts";

describeWith({ server: startRedis }, "a shared Redis", ({ server }) => {
  describeJobQueue("BullMQ", async () => {
    const name = `test-${randomUUID()}`;
    const problems: unknown[] = [];
    const onProblem = (problem: unknown) => problems.push(problem);
    const connections = [openRedis(server.url), openRedis(server.url)] as const;
    const [first, second] = connections.map((redis) =>
      openBullMqJobQueue(redis, name, { onProblem, backOff: TEST_BACK_OFF }),
    );
    if (first === undefined || second === undefined) throw new Error("there are two");
    return {
      instances: [first, second],
      problems,
      dispose: async () => {
        await Promise.all(connections.map((redis) => redis.close()));
      },
    };
  });
});
