import { randomUUID } from "node:crypto";
import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import { describeJobQueue } from "@travel-booking/engines/job-queue/contract";
import { openRedis } from "@travel-booking/engines/redis";
import { describeWith, startRedis } from "../../engines/index.ts";
import { waitUntilConnected } from "../redis/wait-until-connected.ts";

describeWith({ server: startRedis }, "a shared Redis", ({ server }) => {
  describeJobQueue("BullMQ", async () => {
    const name = `test-${randomUUID()}`;
    const connections = [openRedis(server.url), openRedis(server.url)] as const;
    await Promise.all(connections.map(waitUntilConnected));
    const [first, second] = connections.map((redis) => openBullMqJobQueue(redis, name));
    if (first === undefined || second === undefined) throw new Error("there are two");
    return {
      instances: [first, second],
      dispose: async () => {
        await Promise.all(connections.map((redis) => redis.close()));
      },
    };
  });
});
