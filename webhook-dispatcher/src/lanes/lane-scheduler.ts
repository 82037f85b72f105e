import { Fifo } from "@travel-booking/runtime/fifo";
import { parseLaneKey } from "@travel-booking/webhooks/deliveries";
import { BurstLimiter, SlotAllocator, type SlotAllocatorOptions, type SlotHolder } from "./slots.ts";
import { TurnOrder } from "./turn-order.ts";

/** Whether a lane has nothing more to do now, or has to be worked on again. */
export type TurnResult = "done" | "again";

export interface FairLaneSchedulerOptions extends SlotAllocatorOptions {
  /** Works on a lane, for a limited number of deliveries. Must stop when the signal aborts. */
  readonly work: (lane: string, signal: AbortSignal) => Promise<TurnResult>;
  readonly onFailure: (lane: string, error: unknown) => void;
  /** Whether an endpoint is known to be slow; false by default. */
  readonly isSlow?: (endpointId: string) => boolean;
}

/** An endpoint is impaired while one of these is true. */
interface EndpointCondition {
  readonly failing: boolean;
  readonly slow: boolean;
}

/** The waiting lanes of one endpoint. */
interface EndpointQueue extends SlotHolder {
  readonly endpointId: string;
  readonly lanes: Fifo<string>;
  condition: EndpointCondition;
  /** None of its lanes is worked on, since its pace allows no attempt now. */
  isResting: boolean;
}

/** Real time. Attempts of an endpoint that has reached its pace begin together after at least so long. */
const MIN_REST_MS = 25;

interface LaneRun {
  readonly abort: AbortController;
  rerun: boolean;
}

/**
 * Works on many lanes at once, round-robin over accounts and their endpoints, each within its slots. An endpoint with a
 * thousand lanes, or a slow endpoint, does not hold up another.
 */
export class FairLaneScheduler {
  readonly #options: FairLaneSchedulerOptions;
  readonly #endpoints = new Map<string, EndpointQueue>();
  /** Endpoints with waiting lanes. Impaired ones are kept apart, because all of them may have to wait. */
  readonly #ready = { quick: new TurnOrder<EndpointQueue>(), impaired: new TurnOrder<EndpointQueue>() };
  readonly #waiting = new Set<string>();
  #isTurnOfImpaired = false;
  readonly #runs = new Map<string, LaneRun>();
  #idle: PromiseWithResolvers<void> | undefined;
  readonly #slots: SlotAllocator;
  readonly #burst: BurstLimiter;
  #stopped = false;

  constructor(options: FairLaneSchedulerOptions) {
    this.#options = options;
    this.#slots = new SlotAllocator(options);
    this.#burst = new BurstLimiter(() => this.#startReady());
  }

  /** Queues a lane, unless it already waits. A lane in progress is worked on once more afterwards. */
  enqueue(lane: string, accountId: string): void {
    if (this.#stopped || this.#waiting.has(lane)) return;
    const run = this.#runs.get(lane);
    if (run !== undefined) {
      run.rerun = true;
      return;
    }
    const queue = this.#queueOf(parseLaneKey(lane).endpointId, accountId);
    this.#waiting.add(lane);
    queue.lanes.push(lane);
    this.#addReady(queue);
    this.#startReady();
  }

  /** Sets the condition of an endpoint, for as long as it has lanes here. */
  setCondition(endpointId: string, change: Partial<EndpointCondition>): void {
    const queue = this.#endpoints.get(endpointId);
    if (queue === undefined) return;
    queue.condition = { ...queue.condition, ...change };
    const isImpaired = queue.condition.failing || queue.condition.slow;
    if (isImpaired === queue.impaired) return;
    this.#readyLike(queue).delete(queue);
    this.#slots.setImpaired(queue, isImpaired);
    this.#addReady(queue);
  }

  /** Aborts the work on the lanes of an endpoint and drops its waiting lanes. */
  abandon(endpointId: string): void {
    const queue = this.#endpoints.get(endpointId);
    if (queue !== undefined) this.#dropWaiting(queue);
    if (queue?.running === 0) this.#endpoints.delete(endpointId);
    for (const [lane, { abort }] of this.#runs) {
      if (parseLaneKey(lane).endpointId === endpointId) abort.abort(new Abandoned());
    }
    this.#notifyIdle();
  }

  /** Resolves when no lane is waiting or in progress. */
  idle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
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
    return this.#runs.size === 0 && this.#waiting.size === 0;
  }

  #queueOf(endpointId: string, accountId: string): EndpointQueue {
    const known = this.#endpoints.get(endpointId);
    if (known !== undefined) return known;
    const slow = this.#options.isSlow?.(endpointId) ?? false;
    const queue: EndpointQueue = {
      endpointId,
      accountId,
      lanes: new Fifo(),
      condition: { failing: false, slow },
      running: 0,
      impaired: slow,
      isResting: false,
    };
    this.#endpoints.set(endpointId, queue);
    return queue;
  }

  #readyLike({ impaired }: EndpointQueue): TurnOrder<EndpointQueue> {
    return impaired ? this.#ready.impaired : this.#ready.quick;
  }

  #addReady(queue: EndpointQueue): void {
    if (queue.lanes.size > 0 && !queue.isResting) this.#readyLike(queue).add(queue);
  }

  #rest(queue: EndpointQueue, waitMs: number): void {
    if (queue.isResting) return;
    queue.isResting = true;
    this.#readyLike(queue).delete(queue);
    const resume = () => {
      queue.isResting = false;
      this.#addReady(queue);
      this.#startReady();
    };
    setTimeout(resume, Math.max(waitMs, MIN_REST_MS)).unref();
  }

  #dropWaiting(queue: EndpointQueue): void {
    for (let lane = queue.lanes.shift(); lane !== undefined; lane = queue.lanes.shift()) this.#waiting.delete(lane);
    this.#readyLike(queue).delete(queue);
  }

  #startReady(): void {
    while (this.#waiting.size > 0 && !this.#slots.isFull && this.#burst.hasCapacity()) {
      const queue = this.#takeReady();
      const lane = queue?.lanes.shift();
      if (queue === undefined || lane === undefined) return;
      this.#isTurnOfImpaired = !queue.impaired;
      this.#waiting.delete(lane);
      this.#addReady(queue);
      void this.#run(lane, queue);
    }
  }

  /** Quick and impaired endpoints take turns. */
  #takeReady(): EndpointQueue | undefined {
    const quick = () => this.#ready.quick.take(this.#slots);
    const impaired = () => (this.#slots.isFullOfImpaired ? undefined : this.#ready.impaired.take(this.#slots));
    return this.#isTurnOfImpaired ? (impaired() ?? quick()) : (quick() ?? impaired());
  }

  async #run(lane: string, queue: EndpointQueue): Promise<void> {
    const run: LaneRun = { abort: new AbortController(), rerun: false };
    this.#runs.set(lane, run);
    this.#slots.acquire(queue);
    const start = this.#burst.acquire();
    try {
      if ((await this.#options.work(lane, run.abort.signal)) === "again") run.rerun = true;
    } catch (error) {
      if (error instanceof PaceReached) {
        run.rerun = true;
        this.#rest(queue, error.waitMs);
      } else if (!(error instanceof Abandoned)) this.#options.onFailure(lane, error);
    }
    this.#runs.delete(lane);
    this.#burst.release(start);
    this.#slots.release(queue);
    if (run.rerun && !run.abort.signal.aborted) this.enqueue(lane, queue.accountId);
    this.#startReady();
    if (queue.running === 0 && queue.lanes.size === 0) this.#endpoints.delete(queue.endpointId);
    this.#notifyIdle();
  }

  #notifyIdle(): void {
    if (!this.#isIdle) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}

/** Why work on a lane was aborted. Its deliveries stay pending and are attempted again. */
export class Abandoned extends Error {
  override readonly name = "Abandoned";
}

/** Why work on a lane ended before an attempt: its endpoint's pace allows none for so many milliseconds of real time. */
export class PaceReached extends Error {
  override readonly name = "PaceReached";
  readonly waitMs: number;

  constructor(waitMs: number) {
    super("the endpoint's pace is reached");
    this.waitMs = waitMs;
  }
}
