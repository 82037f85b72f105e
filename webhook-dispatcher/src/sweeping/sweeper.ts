import {
  applyHealthToLane,
  type EndpointHealth,
  healthAt,
  type Instant,
  isEmptyLane,
  isProbeDue,
  laneDueAt,
  requeuesDeliveries,
} from "@travel-booking/domain";
import type { Clock, Logger } from "@travel-booking/runtime";
import type {
  EndpointState,
  EndpointStates,
  FanOutCheckpoint,
  Lanes,
  StoredLane,
} from "@travel-booking/webhooks/deliveries";
import type { DeliveryMetrics } from "../delivering/delivery-metrics.ts";

export interface SweeperOptions {
  readonly lanes: Lanes;
  readonly endpoints: EndpointStates;
  readonly checkpoint: Pick<FanOutCheckpoint, "load">;
  readonly clock: Clock;
  readonly deliveryMetrics: DeliveryMetrics;
  readonly logger: Logger;
  /** Has a lane worked on, after so many milliseconds of real time. */
  readonly wake: (lane: string, delayMs?: number) => Promise<void> | void;
  /** Makes the delivery a lane is owed next, as a probe of its endpoint. */
  readonly probe: (stored: StoredLane) => void;
  /** Abandons what is under way to an endpoint. */
  readonly abandon: (endpointId: string) => void;
}

/** A lane that is due later than this is found again by the next sweeps. */
export const SWEEP_INTERVAL_MS = 30_000;

/** Sees to what no event and no attempt leads to: pauses, probes, endpoints resumed or deleted, wake-ups that were lost. */
export class Sweeper {
  readonly #options: SweeperOptions;
  /** When endpoints were last seen to have been restarted. */
  readonly #restarts = new Map<string, Instant>();
  /** Deleted, and so is what they were owed. */
  readonly #dropped = new Set<string>();

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** Looks at every endpoint there is something to say of. */
  async checkEndpoints(): Promise<void> {
    for await (const { endpointId, state } of this.#options.endpoints.all()) await this.#check(endpointId, state);
  }

  /** Looks at one endpoint: it was resumed, or deleted, or takes deliveries again. */
  async checkEndpoint(endpointId: string): Promise<void> {
    await this.#check(endpointId, await this.#options.endpoints.get(endpointId));
  }

  /** Finds what is due and nobody was told of, and what has nothing left in it. */
  async sweep(wake = this.#options.wake): Promise<void> {
    const fannedOutTo = await this.#options.checkpoint.load();
    for await (const endpointId of this.#options.lanes.endpoints()) {
      const state = await this.#options.endpoints.get(endpointId);
      if (state.deletedAt !== null) await this.#options.lanes.removeAll(endpointId);
      else if (state.health.status !== "paused") await this.#sweepLanes(endpointId, state.health, fannedOutTo, wake);
    }
  }

  /** Those first whose oldest delivery is the oldest. */
  async #wakeAll(endpointId: string, health: EndpointHealth): Promise<void> {
    if (health.status === "paused") return;
    const lanes: (readonly [oldest: string, key: string])[] = [];
    for await (const { key, lane } of this.#options.lanes.ofEndpoint(endpointId)) {
      lanes.push([applyHealthToLane(lane, health).owed[0]?.sort ?? "", key]);
    }
    lanes.sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [, key] of lanes) await this.#options.wake(key);
  }

  async #check(endpointId: string, { health, deletedAt }: EndpointState): Promise<void> {
    if (deletedAt !== null) return this.#dropDeleted(endpointId);
    const now = this.#options.clock.now();
    const current = healthAt(health, now) === health ? health : await this.#pause(endpointId, now);
    if (isProbeDue(current, now)) await this.#probe(endpointId, current);
    await this.#wakeAfterRestart(endpointId, health);
  }

  async #dropDeleted(endpointId: string): Promise<void> {
    // Lanes that an event makes after all are found by the sweep.
    if (this.#dropped.has(endpointId)) return;
    this.#options.abandon(endpointId);
    await this.#options.lanes.removeAll(endpointId);
    this.#dropped.add(endpointId);
  }

  async #pause(endpointId: string, now: Instant): Promise<EndpointHealth> {
    const { before, after } = await this.#options.endpoints.change(endpointId, (health) => healthAt(health, now));
    if (before !== after) {
      this.#options.deliveryMetrics.recordPause("failing");
      this.#options.logger.warn({ endpointId, reason: after.health.reason }, "a webhook endpoint is paused");
    }
    return after.health;
  }

  /**
   * The oldest delivery the endpoint is owed tells whether it works again. The probe is due until it has been recorded:
   * whoever moves the clock waits for it, and one that is lost is made after all. Asked for twice it is made once.
   */
  async #probe(endpointId: string, health: EndpointHealth): Promise<void> {
    const oldest = await this.#oldest(endpointId, health);
    if (oldest !== undefined) this.#options.probe(oldest);
  }

  async #oldest(endpointId: string, health: EndpointHealth): Promise<StoredLane | undefined> {
    let oldest: { readonly stored: StoredLane; readonly sort: string } | undefined;
    for await (const stored of this.#options.lanes.ofEndpoint(endpointId)) {
      const under = applyHealthToLane(stored.lane, health);
      if (laneDueAt(under) === undefined) continue;
      const sort = under.owed[0]?.sort ?? under.namedTo;
      if (oldest === undefined || sort < oldest.sort) oldest = { stored, sort };
    }
    return oldest?.stored;
  }

  async #wakeAfterRestart(endpointId: string, health: EndpointHealth): Promise<void> {
    const restart = health.restarts.findLast(requeuesDeliveries);
    if (restart === undefined || restart.at === this.#restarts.get(endpointId)) return;
    this.#restarts.set(endpointId, restart.at);
    await this.#wakeAll(endpointId, health);
  }

  async #sweepLanes(endpointId: string, health: EndpointHealth, fannedOutTo: string, wake: SweeperOptions["wake"]) {
    const now = this.#options.clock.now();
    for await (const stored of this.#options.lanes.ofEndpoint(endpointId)) {
      const wait = delayUntilDue(stored, health, now);
      if (wait !== undefined) {
        if (wait < SWEEP_INTERVAL_MS) await wake(stored.key, Math.max(0, wait));
      } else if (isEmptyLane(stored.lane) && stored.lane.last <= fannedOutTo) {
        await this.#options.lanes.removeVersion(stored);
      }
    }
  }
}

/** Milliseconds until there is something to do in a lane; undefined: there is nothing. */
function delayUntilDue({ lane }: StoredLane, health: EndpointHealth, now: Instant): number | undefined {
  const under = applyHealthToLane(lane, health);
  const dueAt = laneDueAt(under);
  if (dueAt !== undefined) return dueAt - now;
  // What is kept of a failure that is over goes when the lane is worked on.
  return isEmptyLane(under) && !isEmptyLane(lane) ? 0 : undefined;
}
