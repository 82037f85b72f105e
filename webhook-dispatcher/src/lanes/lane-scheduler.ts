import { parseLaneKey } from "@travel-booking/webhooks/deliveries";
import { LinkedSet } from "./linked-set.ts";
import { ReadyEndpoints } from "./ready-endpoints.ts";
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
  readonly endpointId: string;
  readonly waiting: LinkedSet<string>;
  condition: EndpointCondition;
  allocation: SlotAllocation;
}

interface LaneRun {
  readonly abort: AbortController;
  rerun: boolean;
}

/**
 * Works on many lanes at once: next of the account with the fewest slots, round-robin over its endpoints, each within
 * its slots. An endpoint with a thousand lanes, or a slow one, does not hold up another.
 */
export class FairLaneScheduler {
  readonly #options: FairLaneSchedulerOptions;
  readonly #endpoints = new Map<string, EndpointQueue>();
  /** Endpoints with waiting lanes: impaired ones apart, as all of them may have to wait. */
  readonly #ready: { readonly quick: ReadyEndpoints<EndpointQueue>; readonly impaired: ReadyEndpoints<EndpointQueue> };
  #waiting = 0;
  #isTurnOfImpaired = false;
  readonly #runs = new Map<string, LaneRun>();
  readonly #idleWaiters = new Set<() => void>();
  readonly #slots: SlotAllocator;
  readonly #burst: BurstLimiter;
  #stopped = false;

  constructor(options: FairLaneSchedulerOptions) {
    this.#options = options;
    this.#slots = new SlotAllocator(options);
    const needed = ({ allocation }: EndpointQueue) => this.#slots.needed(allocation);
    this.#ready = { quick: new ReadyEndpoints(needed), impaired: new ReadyEndpoints(needed) };
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
    const queue = this.#queueOf(parseLaneKey(lane).endpointId, accountId);
    this.#waiting -= queue.waiting.size;
    queue.waiting.add(lane);
    this.#waiting += queue.waiting.size;
    this.#readyLike(queue).add(accountId, queue);
    this.#startReady();
  }

  /** Sets the condition of an endpoint, for as long as it has lanes here. */
  setCondition(endpointId: string, change: Partial<EndpointCondition>): void {
    const queue = this.#endpoints.get(endpointId);
    if (queue === undefined) return;
    queue.condition = { ...queue.condition, ...change };
    const isImpaired = queue.condition.failing || queue.condition.slow;
    if (isImpaired === queue.allocation.impaired) return;
    const { accountId } = queue.allocation;
    this.#readyLike(queue).delete(accountId, queue);
    queue.allocation = this.#slots.setImpaired(queue.allocation, isImpaired);
    if (queue.waiting.size > 0) this.#readyLike(queue).add(accountId, queue);
  }

  /** Aborts the work on the lanes of an endpoint and drops its waiting lanes. */
  abandon(endpointId: string): void {
    const queue = this.#endpoints.get(endpointId);
    if (queue !== undefined) this.#dropWaiting(queue);
    if (queue?.allocation.running === 0) this.#endpoints.delete(endpointId);
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
    return this.#waiting;
  }

  /** Starts nothing more. Lanes in progress are aborted after a grace period of real time. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    for (const queue of this.#endpoints.values()) this.#dropWaiting(queue);
    this.#notifyIdle();
    const timer = setTimeout(() => {
      for (const { abort } of this.#runs.values()) abort.abort(new Abandoned());
    }, graceMs);
    await this.idle();
    clearTimeout(timer);
  }

  get #isIdle(): boolean {
    return this.#runs.size === 0 && this.#waiting === 0;
  }

  #queueOf(endpointId: string, accountId: string): EndpointQueue {
    const known = this.#endpoints.get(endpointId);
    if (known !== undefined) return known;
    const slow = this.#options.isSlow?.(endpointId) ?? false;
    const queue: EndpointQueue = {
      endpointId,
      waiting: new LinkedSet(),
      condition: { failing: false, slow },
      allocation: this.#slots.newAllocation(accountId, slow),
    };
    this.#endpoints.set(endpointId, queue);
    return queue;
  }

  #readyLike({ allocation }: EndpointQueue): ReadyEndpoints<EndpointQueue> {
    return allocation.impaired ? this.#ready.impaired : this.#ready.quick;
  }

  #dropWaiting(queue: EndpointQueue): void {
    this.#waiting -= queue.waiting.size;
    queue.waiting.clear();
    this.#readyLike(queue).delete(queue.allocation.accountId, queue);
  }

  #startReady(): void {
    while (this.#waiting > 0 && !this.#slots.isFull && this.#burst.hasCapacity()) {
      const next = this.#nextEndpoint();
      if (next === undefined) return;
      this.#start(next);
    }
  }

  /** Of the account that needs the fewest free slots. */
  #nextEndpoint(): EndpointQueue | undefined {
    const { quick, impaired } = this.#ready;
    const { free, isFullOfImpaired } = this.#slots;
    const least = { quick: quick.leastNeeded, impaired: isFullOfImpaired ? Infinity : impaired.leastNeeded };
    if (Math.min(least.quick, least.impaired) >= free) return undefined;
    // Those that need as little take turns.
    if (least.quick === least.impaired) this.#isTurnOfImpaired = !this.#isTurnOfImpaired;
    else this.#isTurnOfImpaired = least.impaired < least.quick;
    return (this.#isTurnOfImpaired ? impaired : quick).next(free);
  }

  #start(queue: EndpointQueue): void {
    const { accountId } = queue.allocation;
    const lane = queue.waiting.first;
    const ready = this.#readyLike(queue);
    ready.delete(accountId, queue);
    if (lane === undefined) return;
    queue.waiting.delete(lane);
    this.#waiting -= 1;
    // Behind the others of its account.
    if (queue.waiting.size > 0) ready.add(accountId, queue);
    void this.#run(lane, queue);
  }

  #setAllocation(queue: EndpointQueue, allocation: SlotAllocation): void {
    queue.allocation = allocation;
    for (const ready of [this.#ready.quick, this.#ready.impaired]) ready.update(allocation.accountId);
  }

  async #run(lane: string, queue: EndpointQueue): Promise<void> {
    const run: LaneRun = { abort: new AbortController(), rerun: false };
    this.#runs.set(lane, run);
    this.#setAllocation(queue, this.#slots.acquire(queue.allocation));
    const start = this.#burst.acquire();
    try {
      if ((await this.#options.work(lane, run.abort.signal)) === "again") run.rerun = true;
    } catch (error) {
      if (!(error instanceof Abandoned)) this.#options.onFailure(lane, error);
    }
    this.#runs.delete(lane);
    this.#burst.release(start);
    this.#setAllocation(queue, this.#slots.release(queue.allocation));
    if (run.rerun && !run.abort.signal.aborted) this.enqueue(lane, queue.allocation.accountId);
    this.#startReady();
    if (queue.allocation.running === 0 && queue.waiting.size === 0) this.#endpoints.delete(queue.endpointId);
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
