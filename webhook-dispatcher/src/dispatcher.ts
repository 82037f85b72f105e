import { setTimeout as pause } from "node:timers/promises";
import type { Instant } from "@travel-booking/domain";
import type { JobWorker } from "@travel-booking/engines/job-queue";
import type { Route } from "@travel-booking/http";
import type { Clock } from "@travel-booking/runtime";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import { type DueDeliveries, parseLaneKey, type ReplayRequest } from "@travel-booking/webhooks/deliveries";
import { type DispatcherComponents, dispatcherComponents } from "./components.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";
import { requestReplay } from "./fan-out/replays.ts";
import { replayEndpoint, testEndpoint } from "./routes.ts";
import type { Pace } from "./sweeper.ts";

/** Real time. */
const ENDPOINT_CHECK_INTERVAL_MS = 5_000;
export const SWEEP_INTERVAL_MS = 30_000;
const CLEARING_INTERVAL_MS = 60 * 60_000;
const TICK_MS = 250;
const RETRY_DELAY_MS = 1_000;
/** Real time for attempts to end when the dispatcher stops. Aborted attempts are repeated after the next start. */
const STOP_TIMEOUT_MS = 1_500;
/** Rounds of `drained` without progress, and the real time between them. */
const MAX_STUCK_ROUNDS = 50;
const STUCK_ROUND_MS = 100;
/** The clock was advanced if it gains more than this on real time. */
const CLOCK_JUMP_MS = 500;

/** Turns events into signed deliveries. A delivery is stored before it is sent, and until its outcome is recorded. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #components: DispatcherComponents;
  readonly #stopping = new AbortController();
  #queueWorker: JobWorker | undefined;
  #leading: Promise<void> = Promise.resolve();

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#components = dispatcherComponents(options);
  }

  /** The operations of the public API that the dispatcher serves; they also work before it is started. */
  get routes(): readonly Route[] {
    const { state, models, clock } = this.#options;
    const { endpointResolver, sender, stored } = this.#components;
    return [
      testEndpoint({ endpointResolver, sender, endpoints: stored.endpoints, state, clock }),
      replayEndpoint({ models, requestReplay: (request) => this.requestReplay(request) }),
    ];
  }

  /** Sends an endpoint events again. Requested for good when it resolves. */
  async requestReplay(request: Omit<ReplayRequest, "cursor">): Promise<void> {
    await requestReplay({ ...this.#options, stored: this.#components.stored }, request);
    this.#components.fanOut.wake();
  }

  start(): void {
    const { queue, instance, logger } = this.#options;
    this.#queueWorker = queue.startWorker((lane) => this.#handleWakeUp(lane));
    const { signal } = this.#stopping;
    const lead = (leading: AbortSignal) => this.#runAsLeader(leading);
    const leading = instance?.leases.runUnderLease("webhook-dispatcher", lead, { signal }) ?? lead(signal);
    this.#leading = leading.catch((error: unknown) =>
      logger.error({ err: error }, "the webhook fan-out and sweeper have stopped on this instance"),
    );
  }

  /** Starts no more attempts, and gives those in flight a moment to end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#queueWorker?.stop();
    await this.#components.scheduler.stop(STOP_TIMEOUT_MS);
    await this.#leading;
    await this.#components.connections.close();
  }

  get due(): DueDeliveries {
    return this.#components.due;
  }

  /** As `DueDeliveries.nextDueAt`. */
  nextDueAt(now: Instant, movedSince: Instant): Promise<Instant | undefined> {
    return this.#components.due.nextDueAt(now, movedSince);
  }

  /**
   * Resolves when every visible event has been fanned out and everything due by now has been attempted.
   * @throws Error something due can't be attempted, or the service is stopping.
   */
  async drained(): Promise<void> {
    const { fanOut, sweeper, scheduler, due, worker } = this.#components;
    const now = this.#options.clock.now();
    for (let stuckRounds = 0; stuckRounds < MAX_STUCK_ROUNDS; ) {
      if (this.#stopping.signal.aborted) throw new Error("the service is stopping: not everything due was delivered");
      const before = worker.completedSteps;
      await fanOut.catchUp({ withoutRest: true });
      await sweeper.checkEndpoints();
      await sweeper.sweep(undefined, (lane, delayMs = 0) => (delayMs <= 0 ? this.#enqueue(lane) : undefined));
      await scheduler.idle();
      if (await due.isSettled(now)) return;
      if (worker.completedSteps > before) continue;
      stuckRounds += 1;
      await pause(STUCK_ROUND_MS);
    }
    throw new Error("deliveries are due that can't be attempted: the log says why");
  }

  async #handleWakeUp(lane: string): Promise<void> {
    const { endpointId, about } = parseLaneKey(lane);
    try {
      if (about === "") await this.#components.sweeper.checkEndpoint(endpointId);
      else await this.#enqueue(lane);
    } catch (error) {
      this.#components.retryLater(lane, error);
    }
  }

  async #enqueue(lane: string): Promise<void> {
    const { stored, scheduler } = this.#components;
    const found = await stored.lanes.get(lane);
    // Otherwise there is nothing to do.
    if (found !== undefined) scheduler.enqueue(lane, found.lane.accountId);
  }

  async #runAsLeader(signal: AbortSignal): Promise<void> {
    const { sweeper } = this.#components;
    await Promise.all([
      this.#runFanOut(signal),
      this.#repeat((pace) => sweeper.checkEndpoints(pace), ENDPOINT_CHECK_INTERVAL_MS, signal),
      this.#repeat((pace) => sweeper.sweep(pace), SWEEP_INTERVAL_MS, signal),
      this.#repeat((pace) => sweeper.removeAttemptsOfDeleted(pace), CLEARING_INTERVAL_MS, signal),
    ]);
  }

  async #runFanOut(signal: AbortSignal): Promise<void> {
    const { fanOut } = this.#components;
    const withoutRest = this.#options.sandboxClock === true;
    signal.addEventListener("abort", () => fanOut.wake(), { once: true });
    while (!signal.aborted) {
      await this.#attempt("webhook fan-out failed", signal, async () => {
        await fanOut.catchUp({ signal, withoutRest });
        await fanOut.waitForWork();
      });
    }
  }

  /**
   * Repeats a pass of the sweeper in steps, each of which costs the same, however much is stored. Passes begin so many
   * milliseconds apart, or one after the other if they take longer. Steps pause in between, except in the first pass of a
   * new leader and in the pass after the clock was advanced, because much may be due then.
   */
  async #repeat(pass: (pace: Pace) => Promise<void>, intervalMs: number, signal: AbortSignal): Promise<void> {
    const hasClockJumped = clockJumpDetector(this.#options.clock);
    let isUrgent: boolean = true;
    while (!signal.aborted) {
      const nextAt = performance.now() + intervalMs;
      let isWithoutPause: boolean = isUrgent;
      isUrgent = false;
      const isDone = await this.#attempt("the webhook sweep failed", signal, () =>
        pass(async () => {
          if (hasClockJumped()) isUrgent = isWithoutPause = true;
          if (!isWithoutPause) await backgroundPause(TICK_MS, signal);
          signal.throwIfAborted();
        }),
      );
      if (!isDone) isUrgent = isWithoutPause;
      while (isDone && !isUrgent && performance.now() < nextAt && !signal.aborted) {
        await backgroundPause(TICK_MS, signal);
        isUrgent = hasClockJumped();
      }
    }
  }

  /**
   * Does some work, and answers whether it is done. Logs an error, such as an unavailable store. Pauses after one, or while
   * none may begin.
   */
  async #attempt(problem: string, signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
    try {
      if (this.#options.mayBegin?.() !== false) {
        await work();
        return true;
      }
    } catch (error) {
      if (!signal.aborted) this.#options.logger.warn({ err: error }, `${problem}; it is retried`);
    }
    await backgroundPause(RETRY_DELAY_MS, signal);
    return false;
  }
}

/** Answers whether the service's clock was advanced since the last call, so that real-time waits are too long. */
function clockJumpDetector(clock: Clock): () => boolean {
  const offset = () => clock.now() - performance.now();
  let lastOffset = offset();
  return () => {
    const current = offset();
    const jumped = current - lastOffset > CLOCK_JUMP_MS;
    lastOffset = current;
    return jumped;
  };
}
