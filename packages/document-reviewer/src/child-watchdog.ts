import { setInterval } from "node:timers";
import { parentPort, workerData } from "node:worker_threads";

/** Real time. */
const CHECK_INTERVAL_MS = 100;

const { maxMemoryBytes } = workerData as { readonly maxMemoryBytes: number };
/** In a namespace of process ids this never changes. There the kernel ends an orphan (`isolation.ts`). */
const parent = process.ppid;

function check(): void {
  const isOrphan = process.ppid !== parent;
  if (isOrphan || process.memoryUsage.rss() > maxMemoryBytes) process.kill(process.pid, "SIGKILL");
}

// The watchdog has its own thread, because a file may block the thread that reads it.
check();
setInterval(check, CHECK_INTERVAL_MS);
parentPort?.postMessage("watching");
