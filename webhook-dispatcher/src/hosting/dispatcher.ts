import { setTimeout as pause } from "node:timers/promises";
import type { Instant } from "@travel-booking/domain";
import type { LaneWorker } from "@travel-booking/engines/job-queue";
import type { Route } from "@travel-booking/http";
import { type DueDeliveries, laneName } from "@travel-booking/webhooks/deliveries";
import { SWEEP_EVERY_MS } from "../keeping/keeper.ts";
import { replayEndpoint } from "../routes/replay-endpoint.ts";
import { testEndpoint } from "../routes/test-endpoint.ts";
import { ClockJumps } from "./clock-jumps.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";
import { type DispatcherParts, dispatcherParts } from "./parts.ts";

/** Wake-ups handled at once: each only puts a lane in its endpoint's line. */
const WAKE_UPS = 64;
/** Real time. */
const LOOK_EVERY_MS = 5_000;
const TICK_MS = 250;
const AFTER_FAILURE_MS = 1_000;
/** Real time attempts have to end at the end. What is abandoned then is repeated by the next start. */
const FINISH_WITHIN_MS = 1_500;
/** Rounds in which nothing moves although something is due, and the real time between them. */
const MOST_STUCK_ROUNDS = 50;
const STUCK_ROUND_MS = 100;

/** Turns events into signed deliveries. What is owed is stored before it is sent, and until it has been. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #parts: DispatcherParts;
  readonly #stopping = new AbortController();
  readonly #jumps: ClockJumps;
  #queueWorker: LaneWorker | undefined;
  #leading: Promise<void> = Promise.resolve();

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#parts = dispatcherParts(options);
    this.#jumps = new ClockJumps(options.clock);
  }

  /** The operations of the public API it answers; also before it is started. */
  get routes(): readonly Route[] {
    const { state, models, clock } = this.#options;
    const { receivers, attempts, endpoints, requests } = this.#parts;
    return [
      testEndpoint({ receivers, attempts, endpoints, state, clock }),
      replayEndpoint({ models, requests, nudge: () => this.nudge() }),
    ];
  }

  /** There is a replay to be carried out. */
  nudge(): void {
    this.#parts.follower.nudge();
  }

  /** Begins to deliver: what is owed from before, and what is new. */
  start(): void {
    const { queue, leads, logger } = this.#options;
    this.#queueWorker = queue.work((lane) => this.#takeUp(lane), { concurrency: WAKE_UPS });
    const { signal } = this.#stopping;
    this.#leading = leads
      .hold("webhook-dispatcher", (leading) => this.#lead(leading), { signal })
      .catch((error: unknown) => logger.error({ err: error }, "nobody here follows the events for webhooks any more"));
  }

  /** Begins nothing more. What is under way has a moment to end; what does not is repeated by the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#queueWorker?.stop();
    await this.#parts.fair.stop(FINISH_WITHIN_MS);
    await this.#leading;
    await this.#parts.connections.close();
  }

  /** What falls due, for whoever watches it. */
  get due(): DueDeliveries {
    return this.#parts.due;
  }

  /** The soonest moment after `now`, by the service's clock, at which something falls due; undefined: nothing does. */
  nextDue(now: Instant): Promise<Instant | undefined> {
    return this.#parts.due.next(now);
  }

  /**
   * Resolves when every event that can be seen has been taken up, and everything that is due by now was attempted.
   * @throws Error something due can't be attempted, or the service is stopping.
   */
  async settled(): Promise<void> {
    const { follower, keeper, fair, due, worker } = this.#parts;
    const now = this.#options.clock.now();
    for (let stuck = 0; stuck < MOST_STUCK_ROUNDS; ) {
      if (this.#stopping.signal.aborted) throw new Error("the service is stopping: not everything due was delivered");
      const before = worker.steps;
      await follower.catchUp();
      await keeper.look();
      await keeper.sweep((lane, delayMs = 0) => (delayMs <= 0 ? this.#takeTurn(lane) : undefined));
      await fair.idle();
      if (await due.isSettled(now)) return;
      if (worker.steps > before) continue;
      stuck += 1;
      await pause(STUCK_ROUND_MS);
    }
    throw new Error("deliveries are due that can't be attempted: the log says why");
  }

  async #takeUp(lane: string): Promise<void> {
    const { endpointId, bookingId } = laneName(lane);
    if (bookingId === "") await this.#parts.keeper.lookAt(endpointId);
    else await this.#takeTurn(lane);
  }

  async #takeTurn(lane: string): Promise<void> {
    const { accounts, fair } = this.#parts;
    const accountId = await accounts.of(lane);
    // A lane that is not there has nothing to do.
    if (accountId !== undefined) fair.add(lane, accountId);
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.#parts.follower.forget();
    await Promise.all([this.#follow(signal), this.#keep(signal)]);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { follower } = this.#parts;
    while (!signal.aborted) {
      await this.#carefully("events could not be taken up for webhooks", signal, async () => {
        await follower.catchUp(signal);
        await follower.somethingNew(signal);
      });
    }
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { keeper } = this.#parts;
    let look = 0;
    let sweep = 0;
    while (!signal.aborted) {
      const now = performance.now();
      const jumped = this.#jumps.look();
      await this.#carefully("webhook endpoints could not be looked after", signal, async () => {
        if (jumped || now >= look) {
          await keeper.look();
          look = now + LOOK_EVERY_MS;
        }
        if (jumped || now >= sweep) {
          await keeper.sweep();
          sweep = now + SWEEP_EVERY_MS;
        }
      });
      await pause(TICK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** A store that is out of reach is waited for. */
  async #carefully(problem: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      this.#options.logger.warn({ err: error }, `${problem}; tried again`);
      await pause(AFTER_FAILURE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
