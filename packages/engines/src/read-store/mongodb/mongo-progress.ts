import { Backoff, backgroundPause } from "@travel-booking/runtime/real-time";
import type { ReadModelMark } from "../../log-mark.ts";
import type { MongoConnection } from "../../mongodb/index.ts";
import { markAt } from "../checkpoint-event.ts";
import type { ReadModels, Versions } from "../index.ts";
import { PositionWaiters } from "../position-waiters.ts";
import { LiveGenerations } from "./live-generations.ts";
import { MongoReadModels } from "./mongo-read-models.ts";
import { ProjectionRecords } from "./projection-records.ts";

/** Real milliseconds between two polls, with and without waiters for a position. */
const POLL_AWAITED_MS = 20;
const POLL_IDLE_MS = 100;
/** Pauses after a failed poll. */
const RETRY = { initialMs: 100, maxMs: 5_000 };

interface MongoProgressOptions {
  /** For the log. A poll failed, usually with `ReadStoreUnavailable`, and is retried after a pause. */
  readonly onProblem: (problem: unknown) => void;
  /** Generations of other versions are not read, and have no position. */
  readonly versions?: Versions;
}

/** How far another process has brought the projections. It polls the records of that process. */
export class MongoProgress {
  /** Reads from generations that have every position reported here. */
  readonly models: ReadModels;
  /** What the latest poll found. */
  readonly #live: LiveGenerations;
  readonly #onProblem: MongoProgressOptions["onProblem"];
  readonly #waiters = new PositionWaiters((projection) => this.positionOf(projection));
  readonly #stop = new AbortController();
  #polling: Promise<void> | undefined;
  /** Ends the pause between two polls. */
  #wake = new AbortController();

  constructor({ db }: MongoConnection, { onProblem, versions }: MongoProgressOptions) {
    this.#live = new LiveGenerations(new ProjectionRecords(db), versions);
    this.models = new MongoReadModels(db, this.#live);
    this.#onProblem = onProblem;
  }

  /** Whether there is a live generation of a version that may be read. */
  isBuilt(projection: string): boolean {
    return this.#live.cached.has(projection);
  }

  /** All events up to here can be read; 0 for an unknown projection. */
  positionOf(projection: string): bigint {
    return this.#live.cached.get(projection)?.checkpoint ?? 0n;
  }

  /** The last event that each live generation has seen. */
  marks(): readonly ReadModelMark[] {
    return [...this.#live.cached].map(([projection, { id, checkpoint, checkpointEvent }]) => {
      return { ...markAt(checkpoint, checkpointEvent), build: `${projection}@${id}` };
    });
  }

  /** Resolves true once `position` can be read, or false after `timeoutMs` of real time. */
  waitUntil(projection: string, position: bigint, timeoutMs: number): Promise<boolean> {
    const reached = this.#waiters.wait(projection, position, this.#stop.signal.aborted ? 0 : timeoutMs);
    this.#wake.abort();
    return reached;
  }

  /** Resolves after the first poll. If it fails, `onProblem` is called, and polling goes on. */
  async start(): Promise<void> {
    const first = this.#poll();
    this.#polling ??= this.#pollOn(first);
    await first;
  }

  /** Ends all waits. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    this.#waiters.cancelAll();
    await this.#polling;
  }

  async #pollOn(first: Promise<boolean>): Promise<void> {
    const backOff = new Backoff(RETRY);
    for (let poll = first; !this.#stop.signal.aborted; poll = this.#poll()) {
      if (await poll) {
        backOff.reset();
        await this.#pauseBetweenPolls();
      } else {
        await backOff.pause(this.#stop.signal);
      }
    }
  }

  /** A new waiter ends the long pause. */
  async #pauseBetweenPolls(): Promise<void> {
    if (this.#waiters.size > 0) return backgroundPause(POLL_AWAITED_MS, this.#stop.signal);
    this.#wake = new AbortController();
    if (!this.#stop.signal.aborted) await backgroundPause(POLL_IDLE_MS, this.#wake.signal);
  }

  async #poll(): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    try {
      await this.#live.reload();
      this.#waiters.notify();
      return true;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#onProblem(error);
      return false;
    }
  }
}
