import { parentPort, workerData } from "node:worker_threads";
import { StandstillCounter, type WatchdogOptions, type WatchedThread } from "./watchdog.ts";

const TICK_MS = 1_000;
/** Real time: how long the last line may take. */
const LAST_LINE_MS = 1_000;

const { heartbeats, seconds, service, logLevel } = workerData as WatchdogOptions;
const counter = new StandstillCounter(heartbeats);
const endProcess = () => process.kill(process.pid, "SIGKILL");

async function end(thread: WatchedThread): Promise<void> {
  setTimeout(endProcess, LAST_LINE_MS);
  try {
    // Loaded only when needed, because it would more than double the cost of this thread.
    const { createLogger } = await import("./logger.ts");
    const line = `the event loop of the ${thread} thread has stood still for ${seconds} s: the process ends, to be started again`;
    createLogger({ level: logLevel, service }).fatal({ thread }, line);
  } finally {
    // The process ends even if the line can't be written, for example for want of files.
    endProcess();
  }
}

const timer = setInterval(() => {
  const thread = counter.tick(seconds);
  if (thread === undefined) return;
  clearInterval(timer);
  void end(thread);
}, TICK_MS);
parentPort?.postMessage("it looks");
