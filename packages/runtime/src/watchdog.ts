import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { LogLevel } from "./logger.ts";

/** Threads whose event loops are watched; a thread's heartbeat stands at its index. */
const WATCHED = ["main", "projector"] as const;
export type WatchedThread = (typeof WATCHED)[number];

/** Shorter than the watchdog's interval of a second. */
const BEAT_INTERVAL_MS = 500;
/** Node's diagnostics channel for the beginning of a request. */
const REQUEST_BEGUN = "http.server.request.start";

/** Counters in shared memory that grow while event loops turn; 0: the thread is not watched. */
export type Heartbeats = Int32Array<SharedArrayBuffer>;

export function createHeartbeats(): Heartbeats {
  return new Int32Array(new SharedArrayBuffer(WATCHED.length * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Watches the event loop of the calling thread from now on. Returns a function that ends this. Each HTTP request is a
 * beat, too: a loop with thousands of sockets to read reaches its timers late, although it does not stand still.
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
 * Counts for how many of its own ticks a heartbeat has stood still. It counts ticks instead of time, because ticks stop
 * while the machine is suspended.
 */
export class StandstillCounter {
  readonly #heartbeats: Heartbeats;
  readonly #seen: number[] = WATCHED.map(() => 0);
  readonly #ticks: number[] = WATCHED.map(() => 0);

  constructor(heartbeats: Heartbeats) {
    this.#heartbeats = heartbeats;
  }

  /** To be called once a second. Returns the thread that has stood still for so many ticks. */
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
  /** Seconds after which a thread that stands still ends the process. */
  readonly seconds: number;
  /** For the line in the log. */
  readonly service: string;
  readonly logLevel: LogLevel;
}

/**
 * Ends this process with SIGKILL (exit code 137 in a shell and in Docker) once an event loop has stood still for too
 * long. Whatever runs the process can then start it again. Nothing else could end it from inside, see
 * docs/decisions/0041-a-hung-process-ends-itself.md. Resolves once it watches, after which it opens no file.
 * @throws Error its thread can't be started, for example for want of files.
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
