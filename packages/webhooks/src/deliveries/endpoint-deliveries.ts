import { setTimeout as pause } from "node:timers/promises";
import {
  afterResume,
  applyHealthToLane,
  countPending,
  type EndpointHealth,
  healthAt,
  type Instant,
} from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import { AttemptLog, type LoggedAttempt } from "./attempt-log.ts";
import { EndpointStates } from "./endpoint-states.ts";
import { endpointPrefix } from "./lane-key.ts";
import { Lanes } from "./lanes.ts";

/** How deliveries to an endpoint stand. */
export interface EndpointStatus {
  readonly status: EndpointHealth["status"];
  /** For people; null where it is active. */
  readonly reason: string | null;
  /** Since when the status is this; null: since there is the endpoint. */
  readonly since: Instant | null;
  /** Deliveries not made yet. */
  readonly owed: number;
  /** When the oldest of them happened; null where none is owed. */
  readonly oldestOwedAt: Instant | null;
}

/** Real time between a look whether an attempt may start, and its start, at most. */
export const MAX_START_DELAY_MS = 200;

/** Machines count milliseconds at not quite the same pace. */
const CLOCK_SKEW_MS = 20;

export interface EndpointDeliveriesOptions {
  readonly store: StateStore;
  /** Tells the dispatcher to look at a lane, or, by `endpointPrefix`, at all of an endpoint; else it looks by itself soon. */
  readonly wake?: (lane: string) => Promise<void> | void;
}

/** What the owner of an endpoint can learn about deliveries to it, and say to them. Times by the service's clock. */
export class EndpointDeliveries {
  readonly #attempts: AttemptLog;
  readonly #endpoints: EndpointStates;
  readonly #lanes: Lanes;
  readonly #wake: (lane: string) => Promise<void> | void;

  constructor({ store, wake = () => undefined }: EndpointDeliveriesOptions) {
    this.#attempts = new AttemptLog(store);
    this.#endpoints = new EndpointStates(store);
    this.#lanes = new Lanes(store);
    this.#wake = wake;
  }

  /** At most `limit` attempts of the last 90 days, newest first, behind the place `after`. */
  attempts(
    endpointId: string,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<readonly LoggedAttempt[]> {
    return this.#attempts.page(endpointId, page);
  }

  async status(endpointId: string, now: Instant): Promise<EndpointStatus> {
    const health = healthAt((await this.#endpoints.get(endpointId)).health, now);
    let owed = 0;
    let oldestOwedAt: Instant | null = null;
    for await (const stored of this.#lanes.ofEndpoint(endpointId)) {
      const lane = applyHealthToLane(stored.lane, health);
      owed += countPending(lane);
      const at = lane.owed[0]?.at ?? null;
      if (at !== null && (oldestOwedAt === null || at < oldestOwedAt)) oldestOwedAt = at;
    }
    const { status, reason, since } = health;
    return { status, reason, since, owed, oldestOwedAt };
  }

  /** Deliveries start again, with everything exhausted since the endpoint's failure began. Durable when it resolves. */
  async resume(endpointId: string, now: Instant): Promise<void> {
    await this.#endpoints.change(endpointId, (health) => afterResume(healthAt(health, now), now));
    await this.#wakeEndpoint(endpointId);
  }

  /** The endpoint is deleted: no attempt starts any more when this has resolved, which takes as long as one may take to. */
  async stop(endpointId: string, now: Instant): Promise<void> {
    await this.#endpoints.markDeleted(endpointId, now);
    await this.#wakeEndpoint(endpointId);
    await pause(MAX_START_DELAY_MS + CLOCK_SKEW_MS);
  }

  /** What was said is stored: a dispatcher that hears nothing finds it soon. */
  async #wakeEndpoint(endpointId: string): Promise<void> {
    try {
      await this.#wake(endpointPrefix(endpointId));
    } catch {
      // The queue is out of reach.
    }
  }
}
