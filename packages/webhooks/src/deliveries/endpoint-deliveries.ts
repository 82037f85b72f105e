import { setTimeout as pause } from "node:timers/promises";
import { afterResume, type EndpointHealth, healthAt, type Instant } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { AttemptLog } from "./attempt-log.ts";
import type { Backlog } from "./backlogs.ts";
import { DeliveryStore } from "./delivery-store.ts";
import { endpointPrefix } from "./lanes.ts";

/** The status of the deliveries to an endpoint. */
export interface EndpointStatus extends Backlog {
  readonly status: EndpointHealth["status"];
  /** In words; null if it is active. */
  readonly reason: string | null;
  /** When the status began; null: when the endpoint was created. */
  readonly since: Instant | null;
}

/** Real time that may pass at most between the check whether an attempt may start and its start. */
export const MAX_START_DELAY_MS = 200;

/** Tolerance for clocks of two machines, which run at slightly different rates. */
const CLOCK_SKEW_MS = 20;

/** Resolves when every attempt has started that was allowed to before. Takes real time. */
export async function untilAllowedHaveStarted(): Promise<void> {
  await pause(MAX_START_DELAY_MS + CLOCK_SKEW_MS);
}

interface EndpointDeliveriesOptions {
  readonly store: StateStore;
  /** Wakes the dispatcher for a lane or, by `endpointPrefix`, for an endpoint. Without it the dispatcher only polls. */
  readonly wake?: (lane: string) => Promise<void> | void;
}

/** The operations on an endpoint's deliveries that its owner has. Times are those of the service's clock. */
export class EndpointDeliveries {
  readonly attempts: AttemptLog;
  readonly #stored: DeliveryStore;
  readonly #wake: (lane: string) => Promise<void> | void;

  constructor({ store, wake = () => undefined }: EndpointDeliveriesOptions) {
    this.#stored = new DeliveryStore(store);
    this.attempts = this.#stored.attempts;
    this.#wake = wake;
  }

  async status(endpointId: string, now: Instant): Promise<EndpointStatus> {
    const health = healthAt((await this.#stored.endpoints.get(endpointId)).health, now);
    const { owed, oldestOwedAt } = await this.#stored.backlogs.of(endpointId, health);
    const { status, reason, since } = health;
    return { status, reason, since, owed, oldestOwedAt };
  }

  /** Resumes deliveries and requeues everything exhausted since the failure began. Durable when it resolves. */
  async resume(endpointId: string, now: Instant): Promise<void> {
    await this.#stored.endpoints.change(endpointId, (health) => afterResume(healthAt(health, now), now));
    await this.#wakeEndpoint(endpointId);
  }

  /** For a deleted endpoint. Waits as long as a start may be delayed, so that no attempt starts after it resolves. */
  async stop(endpointId: string, now: Instant): Promise<void> {
    await this.#stored.endpoints.markDeleted(endpointId, now);
    await this.#wakeEndpoint(endpointId);
    await untilAllowedHaveStarted();
  }

  /** A lost wake-up does no harm, because the change is stored, and the dispatcher finds it by polling. */
  async #wakeEndpoint(endpointId: string): Promise<void> {
    try {
      await this.#wake(endpointPrefix(endpointId));
    } catch {
      // The queue is unavailable.
    }
  }
}
