import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { RecordingJobHandler } from "@travel-booking/engines/job-queue/contract";
import { describeWith, startRedis } from "../../engines/index.ts";
import { TestQueues } from "./test-queues.ts";

const WORKER = path.join(import.meta.dirname, "worker-process.ts");
const LOCK_MS = 1_000;

const queues = new TestQueues();
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await queues.close();
});

/** A process that works lanes until it is killed. Resolves when it has one in its hands. */
async function workerInALane(url: string, name: string): Promise<{ lane: string; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, [WORKER, url, name, String(LOCK_MS)], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [said] = await once(child.stdout, "data");
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { lane: String(said).trim(), kill };
}

describeWith({ server: startRedis }, "workers that die", ({ server }) => {
  test("what one was working is worked by another, however many die of it, and no wake-up is lost", async () => {
    const { queue, name } = await queues.openConnected(server.url, { lockMs: LOCK_MS });
    await queue.schedule("a");
    for (let death = 0; death < 3; death += 1) {
      const { lane, kill } = await workerInALane(server.url, name);
      expect(lane).toBe("a");
      await kill();
    }
    await queue.schedule("a");
    const runs = new RecordingJobHandler();
    queue.startWorker(runs.handler);
    await queue.schedule("b");
    // The second run is of the wake-up that came after the deaths.
    await runs.waitUntil(({ ended }) => ended.filter((lane) => lane === "a").length === 2 && ended.includes("b"));
  });
});
