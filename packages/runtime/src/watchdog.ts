import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { LogLevel } from "./logger.ts";

/** Threads whose event loops are watched; a thread's heartbeat stands at its index. */
const WATCHED = ["main", "projector"] as const;
export type WatchedThread = (typeof WATCHED)[number];

/** More often than the watchdog looks, which is once a second. */
const BEAT_INTERVAL_MS = 500;
/** Node's channel. */
const REQUEST_BEGUN = "http.server.request.start";

/** Counts that grow while event loops turn, in shared memory; 0: the thread is not watched. */
export type Heartbeats = Int32Array<SharedArrayBuffer>;

export function createHeartbeats(): Heartbeats {
  return new Int32Array(new SharedArrayBuffer(WATCHED.length * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * From now on the event loop of the calling thread is watched. Answers what ends that. Each HTTP request is a beat, too: a
 * loop with thousands of sockets to read from comes to its timers late, and does not stand still.
 */
export function beginHeartbeat(heartbeats: Heartbeats, thread: WatchedThread): () => void {
  const index = WATCHED.indexOf(thread);
  const beat = () => void Atomics.add(heartbeats, index, 1);
  beat();
  const timer = setInterval(beat, BEAT_INTERVAL_MS).unref();
  subscribe(REQUEST_BEGUN, beat);
  return () => {
    clearInterval(timer);
    unsubscribe(REQUEST_BEGUN, beat);
    Atomics.store(heartbeats, index, 0);
  };
}

/**
 * Counts for how many of its own ticks a heartbeat has stood still. Ticks and not time: on a machine that is suspended
 * they stop with everything else.
 */
export class StandstillCounter {
  readonly #heartbeats: Heartbeats;
  readonly #seen: number[] = WATCHED.map(() => 0);
  readonly #ticks: number[] = WATCHED.map(() => 0);

  constructor(heartbeats: Heartbeats) {
    this.#heartbeats = heartbeats;
  }

  /** Once a second. The thread that has stood still for so many ticks. */
  tick(limit: number): WatchedThread | undefined {
    return WATCHED.find((_, index) => {
      const count = Atomics.load(this.#heartbeats, index);
      const ticks = count !== 0 && count === this.#seen[index] ? (this.#ticks[index] ?? 0) + 1 : 0;
      this.#seen[index] = count;
      this.#ticks[index] = ticks;
      return ticks >= limit;
    });
  }
}

export interface WatchdogOptions {
  readonly heartbeats: Heartbeats;
  /** After which a thread that stands still ends the process. */
  readonly seconds: number;
  /** For the line in the log. */
  readonly service: string;
  readonly logLevel: LogLevel;
}

/**
 * Ends this process with SIGKILL (exit code 137 to a shell and to Docker) once an event loop has stood still for so long:
 * whatever runs the process can start it again, and nothing else could end it from inside
 * (docs/decisions/0041-a-hung-process-ends-itself.md). Resolves once it looks: from then on it needs no file any more.
 * @throws Error its thread can't be started, for want of files say.
 */
export async function startWatchdog(options: WatchdogOptions): Promise<void> {
  const thread = new Worker(new URL("./watchdog-thread.ts", import.meta.url), {
    workerData: options,
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  });
  await once(thread, "message");
  thread.unref();
}
