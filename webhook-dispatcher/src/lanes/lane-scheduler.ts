import { parseLaneKey } from "@travel-booking/webhooks/deliveries";
import {
  BurstLimiter,
  type BurstOptions,
  type SlotAllocation,
  SlotAllocator,
  type SlotAllocatorOptions,
} from "./slots.ts";

/** Whether a lane has nothing more to do now, or has to be worked on again. */
export type TurnResult = "done" | "again";

export interface FairLaneSchedulerOptions extends SlotAllocatorOptions {
  /** Works on a lane, for a limited number of deliveries. Must stop when the signal aborts. */
  readonly work: (lane: string, signal: AbortSignal) => Promise<TurnResult>;
  readonly onFailure: (lane: string, error: unknown) => void;
  /** Whether an endpoint is known to be slow; false by default. */
  readonly isSlow?: (endpointId: string) => boolean;
  readonly burst?: BurstOptions;
}

interface EndpointCondition {
  readonly failing: boolean;
  readonly slow: boolean;
}

/** The waiting lanes of one endpoint. */
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
 * Works on many lanes at once, round-robin over the endpoints, each within its slots: an endpoint with a thousand lanes,
 * or a slow one, does not hold up another.
 */
export class FairLaneScheduler {
  readonly #options: FairLaneSchedulerOptions;
  readonly #endpoints = new Map<string, EndpointQueue>();
  /** Endpoints with waiting lanes, in round-robin order. */
  readonly #ready = new Set<string>();
  readonly #runs = new Map<string, LaneRun>();
  readonly #idleWaiters = new Set<() => void>();
  readonly #slots: SlotAllocator;
  readonly #burst: BurstLimiter;
  #stopped = false;

  constructor(options: FairLaneSchedulerOptions) {
    this.#options = options;
    this.#slots = new SlotAllocator(options);
    this.#burst = new BurstLimiter({ ...options.burst, onCapacity: () => this.#startReady() });
  }

  /** Queues a lane, unless it is waiting already. A lane in progress is worked on once more afterwards. */
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

  /** Sets the condition of an endpoint, for as long as it has lanes here. */
  setCondition(endpointId: string, change: Partial<EndpointCondition>): void {
    const queue = this.#endpoints.get(endpointId);
    if (queue === undefined) return;
    queue.condition = { ...queue.condition, ...change };
    queue.allocation = this.#slots.setImpaired(queue.allocation, queue.condition.failing || queue.condition.slow);
  }

  /** Aborts the work on the lanes of an endpoint and drops its waiting lanes. */
  abandon(endpointId: string): void {
    const queue = this.#endpoints.get(endpointId);
    queue?.waiting.clear();
    if (queue?.allocation.running === 0) this.#endpoints.delete(endpointId);
    this.#ready.delete(endpointId);
    for (const [lane, { abort }] of this.#runs) {
      if (parseLaneKey(lane).endpointId === endpointId) abort.abort(new Abandoned());
    }
    this.#notifyIdle();
  }

  /** Resolves when no lane is waiting or in progress. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idleWaiters.add(resolve);
    });
  }

  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.#endpoints.values()) count += waiting.size;
    return count;
  }

  /** Starts nothing more. Lanes in progress are aborted after a grace period of real time. */
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
    const queue = {
      waiting: new Set<string>(),
      condition: { failing: false, slow },
      allocation: this.#slots.newAllocation(accountId, slow),
    };
    this.#endpoints.set(endpointId, queue);
    return queue;
  }

  #startReady(): void {
    while (this.#ready.size > 0 && !this.#slots.isFull && this.#burst.hasCapacity()) {
      const next = this.#nextEndpoint();
      if (next === undefined) return;
      this.#start(...next);
    }
  }

  #nextEndpoint(): [endpointId: string, queue: EndpointQueue] | undefined {
    for (const endpointId of this.#ready) {
      const queue = this.#endpoints.get(endpointId);
      if (queue !== undefined && this.#slots.canAcquire(queue.allocation)) return [endpointId, queue];
    }
    return undefined;
  }

  #start(endpointId: string, queue: EndpointQueue): void {
    const [lane] = queue.waiting;
    this.#ready.delete(endpointId);
    if (lane === undefined) return;
    queue.waiting.delete(lane);
    // At the end of the round.
    if (queue.waiting.size > 0) this.#ready.add(endpointId);
    void this.#run(lane, endpointId, queue);
  }

  async #run(lane: string, endpointId: string, queue: EndpointQueue): Promise<void> {
    const run: LaneRun = { abort: new AbortController(), rerun: false };
    this.#runs.set(lane, run);
    queue.allocation = this.#slots.acquire(queue.allocation);
    const start = this.#burst.acquire();
    try {
      if ((await this.#options.work(lane, run.abort.signal)) === "again") run.rerun = true;
    } catch (error) {
      if (!(error instanceof Abandoned)) this.#options.onFailure(lane, error);
    }
    this.#runs.delete(lane);
    this.#burst.release(start);
    queue.allocation = this.#slots.release(queue.allocation);
    if (run.rerun && !run.abort.signal.aborted) this.enqueue(lane, queue.allocation.accountId);
    this.#startReady();
    if (queue.allocation.running === 0 && queue.waiting.size === 0) this.#endpoints.delete(endpointId);
    this.#notifyIdle();
  }

  #notifyIdle(): void {
    if (!this.#isIdle) return;
    for (const resolve of this.#idleWaiters) resolve();
    this.#idleWaiters.clear();
  }
}

/** Why work on a lane was aborted. Its deliveries stay pending and are attempted again. */
export class Abandoned extends Error {
  override readonly name = "Abandoned";
}
