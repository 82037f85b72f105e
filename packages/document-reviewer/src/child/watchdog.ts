import { setInterval } from "node:timers";
import { workerData } from "node:worker_threads";

/** Real time. */
const LOOK_EVERY_MS = 100;

const { mostMemory } = workerData as { readonly mostMemory: number };
const parent = process.ppid;

// In a thread of its own: the thread that reads a file may be stuck in it.
setInterval(() => {
  const isOrphan = process.ppid !== parent;
  if (isOrphan || process.memoryUsage.rss() > mostMemory) process.kill(process.pid, "SIGKILL");
}, LOOK_EVERY_MS);
