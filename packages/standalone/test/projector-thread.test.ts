import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "@jest/globals";
import { AppendNotifier } from "@travel-booking/engines/event-store";
import { createHeartbeats } from "@travel-booking/runtime/watchdog";

test("the projector's thread has a heartbeat", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "projector-thread-"));
  const heartbeats = createHeartbeats();
  const thread = new Worker(new URL("../src/projector-thread.ts", import.meta.url), { stderr: true });
  try {
    await once(thread, "message");
    expect([...heartbeats]).toStrictEqual([0, 0]);
    thread.postMessage({ dataDir, wakeUp: new AppendNotifier().buffer, heartbeats });
    while (Atomics.load(heartbeats, 1) < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(Atomics.load(heartbeats, 0)).toBe(0);
  } finally {
    await thread.terminate();
    rmSync(dataDir, { recursive: true });
  }
});
