import { setTimeout } from "node:timers/promises";
import type { MongoConnection } from "../../mongodb/index.ts";
import { LiveGenerations } from "./live-generations.ts";
import { PositionWaiters } from "./position-waiters.ts";
import { ProjectionRecords } from "./projection-records.ts";

/** Real milliseconds between two looks: while somebody waits, and while nobody does. */
const POLL_AWAITED_MS = 20;
const POLL_IDLE_MS = 500;
/** After a look that failed, then doubled with each further one. */
const FIRST_RETRY_DELAY_MS = 100;
const MAX_RETRY_DELAY_MS = 5_000;

export interface MongoProgressOptions {
  /** For the log: a look failed, as a rule with `ReadStoreUnavailable`, and is taken again after a pause. */
  readonly onProblem: (problem: unknown) => void;
}

/**
 * How far the projections have got that another process keeps up: looks again and again at what it has written. Give it
 * to `openMongoReadModels`: then whoever saw a position here reads from a generation that has it.
 */
export class MongoProgress {
  /** What its looks find. */
  readonly live: LiveGenerations;
  readonly #onProblem: MongoProgressOptions["onProblem"];
  readonly #waiters = new PositionWaiters();
  readonly #stop = new AbortController();
  #polling: Promise<void> | undefined;
  /** Ends the pause between two looks. */
  #wake = new AbortController();

  constructor({ db }: MongoConnection, { onProblem }: MongoProgressOptions) {
    this.live = new LiveGenerations(new ProjectionRecords(db));
    this.#onProblem = onProblem;
    this.live.onLoaded(() => this.#waiters.notify((projection) => this.positionOf(projection)));
  }

  /** Everything up to here can be read; 0 for a projection nothing is known of. */
  positionOf(projection: string): bigint {
    return this.live.cached(projection)?.checkpoint ?? 0n;
  }

  /** Resolves true once `position` can be read, false when that took longer than `timeoutMs` of real time. */
  waitUntil(projection: string, position: bigint, timeoutMs: number): Promise<boolean> {
    if (position <= this.positionOf(projection)) return Promise.resolve(true);
    if (this.#stop.signal.aborted) return Promise.resolve(false);
    const reached = this.#waiters.add(projection, position, timeoutMs);
    this.#wake.abort();
    return reached;
  }

  /** Resolves after the first look. Where that fails, the problem is told, and the next ones find what there is. */
  async start(): Promise<void> {
    const isWell = await this.#poll();
    this.#polling ??= this.#pollUntilStopped(isWell);
  }

  /** Ends all waits. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    this.#waiters.cancelAll();
    await this.#polling;
  }

  async #pollUntilStopped(startedWell: boolean): Promise<void> {
    let isWell = startedWell;
    let pause = FIRST_RETRY_DELAY_MS;
    while (!this.#stop.signal.aborted) {
      if (isWell) {
        pause = FIRST_RETRY_DELAY_MS;
        await this.#waitForNextPoll();
      } else {
        await sleep(pause, this.#stop.signal);
        pause = Math.min(2 * pause, MAX_RETRY_DELAY_MS);
      }
      isWell = await this.#poll();
    }
  }

  /** Nobody who begins to wait waits for the end of a long rest. */
  async #waitForNextPoll(): Promise<void> {
    if (this.#waiters.hasWaiters) return sleep(POLL_AWAITED_MS, this.#stop.signal);
    this.#wake = new AbortController();
    if (!this.#stop.signal.aborted) await sleep(POLL_IDLE_MS, this.#wake.signal);
  }

  async #poll(): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    try {
      await this.live.reload();
      return true;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#onProblem(error);
      return false;
    }
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
