import { setInterval } from "node:timers";
import { parentPort, workerData } from "node:worker_threads";

/** Real time. */
const CHECK_INTERVAL_MS = 100;

const { mostMemory } = workerData as { readonly mostMemory: number };
const parent = process.ppid;

function check(): void {
  const isOrphan = process.ppid !== parent;
  if (isOrphan || process.memoryUsage.rss() > mostMemory) process.kill(process.pid, "SIGKILL");
}

// In a thread of its own: the thread that reads a file may be stuck in it.
check();
setInterval(check, CHECK_INTERVAL_MS);
parentPort?.postMessage("watching");
