import { setTimeout as pause } from "node:timers/promises";
import type { Instant } from "@travel-booking/domain";
import type { JobWorker } from "@travel-booking/engines/job-queue";
import type { Route } from "@travel-booking/http";
import { type DueDeliveries, parseLaneKey } from "@travel-booking/webhooks/deliveries";
import { replayEndpoint } from "../routes/replay-endpoint.ts";
import { testEndpoint } from "../routes/test-endpoint.ts";
import { SWEEP_INTERVAL_MS } from "../sweeping/sweeper.ts";
import { ClockJumpDetector } from "./clock-jump-detector.ts";
import { type DispatcherComponents, dispatcherComponents } from "./dispatcher-components.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";

/** Wake-ups handled at once: each only puts a lane in its endpoint's line. */
const WAKE_CONCURRENCY = 64;
/** Real time. */
const ENDPOINT_CHECK_INTERVAL_MS = 5_000;
const TICK_MS = 250;
const RETRY_DELAY_MS = 1_000;
/** Real time attempts have to end at the end. What is abandoned then is repeated by the next start. */
const STOP_TIMEOUT_MS = 1_500;
/** Rounds in which nothing moves although something is due, and the real time between them. */
const MAX_STUCK_ROUNDS = 50;
const STUCK_ROUND_MS = 100;

/** Turns events into signed deliveries. What is owed is stored before it is sent, and until it has been. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #components: DispatcherComponents;
  readonly #stopping = new AbortController();
  readonly #clockJumps: ClockJumpDetector;
  #queueWorker: JobWorker | undefined;
  #leading: Promise<void> = Promise.resolve();

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#components = dispatcherComponents(options);
    this.#clockJumps = new ClockJumpDetector(options.clock);
  }

  /** The operations of the public API it answers; also before it is started. */
  get routes(): readonly Route[] {
    const { state, models, clock } = this.#options;
    const { receivers, attempts, endpoints, requests } = this.#components;
    return [
      testEndpoint({ receivers, attempts, endpoints, state, clock }),
      replayEndpoint({ models, requests, onReplayRequested: () => this.wakeReplays() }),
    ];
  }

  /** There is a replay to be carried out. */
  wakeReplays(): void {
    this.#components.follower.wake();
  }

  /** Begins to deliver: what is owed from before, and what is new. */
  start(): void {
    const { queue, leaderLease, logger } = this.#options;
    this.#queueWorker = queue.startWorker((lane) => this.#handleWakeUp(lane), { concurrency: WAKE_CONCURRENCY });
    const { signal } = this.#stopping;
    this.#leading = leaderLease
      .runUnderLease("webhook-dispatcher", (leading) => this.#runAsLeader(leading), { signal })
      .catch((error: unknown) =>
        logger.error({ err: error }, "the webhook fan-out and sweeper have stopped on this instance"),
      );
  }

  /** Begins nothing more. What is under way has a moment to end; what does not is repeated by the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#queueWorker?.stop();
    await this.#components.fair.stop(STOP_TIMEOUT_MS);
    await this.#leading;
    await this.#components.connections.close();
  }

  /** What falls due, for whoever watches it. */
  get due(): DueDeliveries {
    return this.#components.due;
  }

  /** The soonest moment after `now`, by the service's clock, at which something falls due; undefined: nothing does. */
  nextDueAt(now: Instant): Promise<Instant | undefined> {
    return this.#components.due.nextDueAt(now);
  }

  /**
   * Resolves when every event that can be seen has been taken up, and everything that is due by now was attempted.
   * @throws Error something due can't be attempted, or the service is stopping.
   */
  async drained(): Promise<void> {
    const { follower, keeper, fair, due, worker } = this.#components;
    const now = this.#options.clock.now();
    for (let stuck = 0; stuck < MAX_STUCK_ROUNDS; ) {
      if (this.#stopping.signal.aborted) throw new Error("the service is stopping: not everything due was delivered");
      const before = worker.completedSteps;
      await follower.catchUp();
      await keeper.checkEndpoints();
      await keeper.sweep((lane, delayMs = 0) => (delayMs <= 0 ? this.#enqueue(lane) : undefined));
      await fair.idle();
      if (await due.isSettled(now)) return;
      if (worker.completedSteps > before) continue;
      stuck += 1;
      await pause(STUCK_ROUND_MS);
    }
    throw new Error("deliveries are due that can't be attempted: the log says why");
  }

  async #handleWakeUp(lane: string): Promise<void> {
    const { endpointId, bookingId } = parseLaneKey(lane);
    if (bookingId === "") await this.#components.keeper.checkEndpoint(endpointId);
    else await this.#enqueue(lane);
  }

  async #enqueue(lane: string): Promise<void> {
    const { accounts, fair } = this.#components;
    const accountId = await accounts.accountOf(lane);
    // A lane that is not there has nothing to do.
    if (accountId !== undefined) fair.enqueue(lane, accountId);
  }

  async #runAsLeader(signal: AbortSignal): Promise<void> {
    this.#components.follower.resetCheckpoint();
    await Promise.all([this.#runFanOut(signal), this.#runSweeper(signal)]);
  }

  async #runFanOut(signal: AbortSignal): Promise<void> {
    const { follower } = this.#components;
    while (!signal.aborted) {
      await this.#logFailure("webhook fan-out failed", signal, async () => {
        await follower.catchUp(signal);
        await follower.waitForWork(signal);
      });
    }
  }

  async #runSweeper(signal: AbortSignal): Promise<void> {
    const { keeper } = this.#components;
    let look = 0;
    let sweep = 0;
    while (!signal.aborted) {
      const now = performance.now();
      const jumped = this.#clockJumps.hasJumped();
      await this.#logFailure("the webhook sweep failed", signal, async () => {
        if (jumped || now >= look) {
          await keeper.checkEndpoints();
          look = now + ENDPOINT_CHECK_INTERVAL_MS;
        }
        if (jumped || now >= sweep) {
          await keeper.sweep();
          sweep = now + SWEEP_INTERVAL_MS;
        }
      });
      await pause(TICK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** A store that is out of reach is waited for. */
  async #logFailure(problem: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      this.#options.logger.warn({ err: error }, `${problem}; it is retried`);
      await pause(RETRY_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
