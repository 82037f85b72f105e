import { parseLaneKey } from "@travel-booking/webhooks/deliveries";
import { BurstLimiter, type BurstOptions } from "./burst-limiter.ts";
import { type SlotAllocation, SlotAllocator, type SlotAllocatorOptions } from "./slot-allocator.ts";

/** Why a lane's turn ends: there is nothing more to do now, or its time was up. */
export type TurnResult = "done" | "again";

export interface FairLaneSchedulerOptions extends SlotAllocatorOptions {
  /** Works on a lane; the signal aborts where what is under way is to be abandoned. */
  readonly work: (lane: string, signal: AbortSignal) => Promise<TurnResult>;
  /** A lane could not be worked on. */
  readonly onFailure: (lane: string, error: unknown) => void;
  /** Whether an endpoint is known to be slow; nobody is unless told. */
  readonly isSlow?: (endpointId: string) => boolean;
  /** What may be begun within a moment. */
  readonly burst?: BurstOptions;
}

/** What is seen of an endpoint: that it does not take its deliveries, that it is slow. */
export interface EndpointCondition {
  readonly failing: boolean;
  readonly slow: boolean;
}

/** The lanes of one endpoint. */
interface EndpointQueue {
  readonly waiting: Set<string>;
  condition: EndpointCondition;
  allocation: SlotAllocation;
}

interface LaneRun {
  readonly abort: AbortController;
  rerun: boolean;
}

/**
 * Works on many lanes at once, in turn over the endpoints, each within its share: one that has a thousand lanes, or
 * answers slowly, does not hold up another.
 */
export class FairLaneScheduler {
  readonly #options: FairLaneSchedulerOptions;
  readonly #endpoints = new Map<string, EndpointQueue>();
  /** Those with lanes waiting; the next in turn is the first. */
  readonly #ready = new Set<string>();
  readonly #runs = new Map<string, LaneRun>();
  readonly #idle = new Set<() => void>();
  readonly #shares: SlotAllocator;
  readonly #burst: BurstLimiter;
  #stopped = false;

  constructor(options: FairLaneSchedulerOptions) {
    this.#options = options;
    this.#shares = new SlotAllocator(options);
    this.#burst = new BurstLimiter({ ...options.burst, onCapacity: () => this.#startReady() });
  }

  /**
   * Has a lane of an account worked on; once, however often this is asked for before; once more where it is being
   * worked on.
   */
  enqueue(lane: string, accountId: string): void {
    if (this.#stopped) return;
    const run = this.#runs.get(lane);
    if (run !== undefined) {
      run.rerun = true;
      return;
    }
    const { endpointId } = parseLaneKey(lane);
    this.#queueOf(endpointId, accountId).waiting.add(lane);
    this.#ready.add(endpointId);
    this.#startReady();
  }

  /** Tells what was seen of an endpoint; forgotten when nothing of it waits any more. */
  setCondition(endpointId: string, seen: Partial<EndpointCondition>): void {
    const turns = this.#endpoints.get(endpointId);
    if (turns === undefined) return;
    turns.condition = { ...turns.condition, ...seen };
    turns.allocation = this.#shares.setImpaired(turns.allocation, turns.condition.failing || turns.condition.slow);
  }

  /** Abandons what is under way to an endpoint, and what waits. */
  abandon(endpointId: string): void {
    const turns = this.#endpoints.get(endpointId);
    turns?.waiting.clear();
    if (turns?.allocation.running === 0) this.#endpoints.delete(endpointId);
    this.#ready.delete(endpointId);
    for (const [lane, { abort }] of this.#runs) {
      if (parseLaneKey(lane).endpointId === endpointId) abort.abort(new Abandoned());
    }
    this.#notifyIdle();
  }

  /** Resolves when nothing waits and nothing is under way. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.add(resolve);
    });
  }

  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.#endpoints.values()) count += waiting.size;
    return count;
  }

  /** Begins nothing more; what is under way has so many milliseconds of real time to end, then it is abandoned. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    for (const { waiting } of this.#endpoints.values()) waiting.clear();
    this.#ready.clear();
    this.#notifyIdle();
    const timer = setTimeout(() => {
      for (const { abort } of this.#runs.values()) abort.abort(new Abandoned());
    }, graceMs);
    await this.idle();
    clearTimeout(timer);
  }

  get #isIdle(): boolean {
    return this.#runs.size === 0 && this.#ready.size === 0;
  }

  #queueOf(endpointId: string, accountId: string): EndpointQueue {
    const known = this.#endpoints.get(endpointId);
    if (known !== undefined) return known;
    const slow = this.#options.isSlow?.(endpointId) ?? false;
    const share = this.#shares.newAllocation(accountId, slow);
    const turns = { waiting: new Set<string>(), condition: { failing: false, slow }, allocation: share };
    this.#endpoints.set(endpointId, turns);
    return turns;
  }

  #startReady(): void {
    while (this.#ready.size > 0 && !this.#shares.isFull && this.#burst.hasCapacity()) {
      const next = this.#nextInTurn();
      if (next === undefined) return;
      this.#begin(...next);
    }
  }

  #nextInTurn(): [endpointId: string, turns: EndpointQueue] | undefined {
    for (const endpointId of this.#ready) {
      const turns = this.#endpoints.get(endpointId);
      if (turns !== undefined && this.#shares.canAcquire(turns.allocation)) return [endpointId, turns];
    }
    return undefined;
  }

  #begin(endpointId: string, turns: EndpointQueue): void {
    const [lane] = turns.waiting;
    this.#ready.delete(endpointId);
    if (lane === undefined) return;
    turns.waiting.delete(lane);
    // Behind the others.
    if (turns.waiting.size > 0) this.#ready.add(endpointId);
    void this.#run(lane, endpointId, turns);
  }

  async #run(lane: string, endpointId: string, turns: EndpointQueue): Promise<void> {
    const run: LaneRun = { abort: new AbortController(), rerun: false };
    this.#runs.set(lane, run);
    turns.allocation = this.#shares.acquire(turns.allocation);
    const beginning = this.#burst.acquire();
    try {
      if ((await this.#options.work(lane, run.abort.signal)) === "again") run.rerun = true;
    } catch (error) {
      if (!(error instanceof Abandoned)) this.#options.onFailure(lane, error);
    }
    this.#runs.delete(lane);
    this.#burst.release(beginning);
    turns.allocation = this.#shares.release(turns.allocation);
    if (run.rerun && !run.abort.signal.aborted) this.enqueue(lane, turns.allocation.accountId);
    this.#startReady();
    if (turns.allocation.running === 0 && turns.waiting.size === 0) this.#endpoints.delete(endpointId);
    this.#notifyIdle();
  }

  #notifyIdle(): void {
    if (!this.#isIdle) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}

/** What was under way is left as it stands, to be begun again. */
export class Abandoned extends Error {
  override readonly name = "Abandoned";
}
