import {
  applyHealthToLane,
  type EndpointHealth,
  healthAt,
  type Instant,
  isEmptyLane,
  isProbeDue,
  kindOfLane,
  laneDueAt,
  MINUTE,
  requeuesDeliveries,
} from "@travel-booking/domain";
import { EVENT_FEEDS, type EventFeed, feedOf } from "@travel-booking/read-models";
import { BacklogCount, type StoredLane } from "@travel-booking/webhooks/deliveries";
import { LRUCache } from "lru-cache";
import type { DispatcherContext } from "./dispatcher-options.ts";

interface SweeperOptions
  extends Pick<DispatcherContext, "stored" | "clock" | "deliveryMetrics" | "isActive" | "logger"> {
  /** Wakes a lane, after so many milliseconds of real time. */
  readonly wake: (lane: string, delayMs?: number) => Promise<void> | void;
  /** Attempts the next delivery of a lane as a probe of its endpoint. */
  readonly probe: (stored: StoredLane) => void;
  /** Aborts the attempts to an endpoint. */
  readonly abandon: (endpointId: string) => void;
}

/** Called after each step of limited work: the next one follows when it resolves. */
export type Pace = () => Promise<void> | void;
const WITHOUT_PAUSE: Pace = () => undefined;

/** Lanes that are due later are found by the next sweeps. */
const WAKE_AHEAD_MS = 5 * MINUTE;
/** Lanes or endpoints looked at in one step. */
const LOOKS_PER_STEP = 500;
/** Of more endpoints, those handled longest ago are handled again, which changes nothing. */
const MAX_REMEMBERED = 10_000;

/**
 * Handles what no wake-up leads to: pauses, probes, resumed or deleted endpoints, and lost wake-ups. Its passes look at
 * everything that is stored, at the caller's pace.
 */
export class Sweeper {
  readonly #options: SweeperOptions;
  /** The last recovery of each endpoint whose lanes were woken. */
  readonly #recoveries = new LRUCache<string, Instant>({ max: MAX_REMEMBERED });

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** Checks every endpoint that has lanes; one that fails has the lane whose delivery failed. */
  async checkEndpoints(pace = WITHOUT_PAUSE): Promise<void> {
    const { lanes, endpoints } = this.#options.stored;
    let looks = 0;
    for await (const endpointId of lanes.endpoints()) {
      const { health, deletedAt } = await endpoints.get(endpointId);
      // Lanes of deleted ones are found by the sweep.
      if (deletedAt === null) await this.#check(endpointId, health);
      if (++looks % LOOKS_PER_STEP === 0) await pace();
    }
  }

  /** Checks one endpoint: it was resumed or deleted, or has recovered. */
  async checkEndpoint(endpointId: string): Promise<void> {
    const { abandon, stored } = this.#options;
    const { health, deletedAt } = await stored.endpoints.get(endpointId);
    if (deletedAt === null) return this.#check(endpointId, health);
    abandon(endpointId);
    await stored.removeAll(endpointId);
  }

  /** Wakes lanes that are due, removes empty ones, and counts what is pending. */
  async sweep(pace = WITHOUT_PAUSE, wake = this.#options.wake): Promise<void> {
    const { lanes, backlogs, endpoints, checkpoints } = this.#options.stored;
    const fannedOutTo = new Map<EventFeed, string>();
    for (const feed of EVENT_FEEDS) fannedOutTo.set(feed, await checkpoints.load(feed));
    let looks = 0;
    for await (const endpointId of lanes.endpoints()) {
      if (++looks % LOOKS_PER_STEP === 0) await pace();
      const { health, deletedAt } = await endpoints.get(endpointId);
      if (deletedAt !== null) {
        await this.#options.stored.removeAll(endpointId);
        continue;
      }
      const backlog = new BacklogCount();
      for await (const stored of lanes.ofEndpoint(endpointId)) {
        backlog.add(stored.lane, health);
        if (health.status !== "paused") await this.#sweepLane(stored, health, fannedOutTo, wake);
        if (++looks % LOOKS_PER_STEP === 0) await pace();
      }
      await backlogs.save(endpointId, backlog, this.#options.clock.now());
    }
  }

  /** Removes what was attempted of deleted endpoints: a wake-up was lost, or the last attempt was recorded after it. */
  async removeAttemptsOfDeleted(pace = WITHOUT_PAUSE): Promise<void> {
    const { attempts, endpoints } = this.#options.stored;
    let looks = 0;
    for await (const endpointId of attempts.endpoints()) {
      if (++looks % LOOKS_PER_STEP === 0) await pace();
      const { deletedAt } = await endpoints.get(endpointId);
      if (deletedAt !== null) await attempts.removeAll(endpointId);
    }
  }

  /** Wakes all lanes of an endpoint, those with the oldest deliveries first. */
  async #wakeAll(endpointId: string, health: EndpointHealth): Promise<void> {
    if (health.status === "paused") return;
    const lanes: (readonly [oldest: string, key: string])[] = [];
    for await (const { key, lane } of this.#options.stored.lanes.ofEndpoint(endpointId)) {
      lanes.push([applyHealthToLane(lane, health).owed[0]?.sort ?? "", key]);
    }
    lanes.sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [, key] of lanes) await this.#options.wake(key);
  }

  async #check(endpointId: string, health: EndpointHealth): Promise<void> {
    const now = this.#options.clock.now();
    const current = healthAt(health, now) === health ? health : await this.#pause(endpointId, now);
    if (isProbeDue(current, now)) await this.#probe(endpointId, current);
    await this.#wakeAfterRecovery(endpointId, health);
  }

  async #pause(endpointId: string, now: Instant): Promise<EndpointHealth> {
    const { before, after } = await this.#options.stored.endpoints.change(endpointId, (health) =>
      healthAt(health, now),
    );
    if (before !== after) {
      this.#options.deliveryMetrics.recordPause("failing");
      this.#options.logger.warn({ endpointId, reason: after.health.reason }, "a webhook endpoint is paused");
    }
    return after.health;
  }

  /**
   * Probes the endpoint with its oldest pending delivery. The probe stays due until it is recorded, so a lost one is
   * repeated, and advancing the clock waits for it. Scheduling it twice makes it once.
   */
  async #probe(endpointId: string, health: EndpointHealth): Promise<void> {
    let oldest: { readonly stored: StoredLane; readonly sort: string } | undefined;
    for await (const stored of this.#options.stored.lanes.ofEndpoint(endpointId)) {
      const lane = applyHealthToLane(stored.lane, health);
      if (laneDueAt(lane) === undefined) continue;
      const sort = lane.owed[0]?.sort ?? lane.namedTo;
      if (oldest === undefined || sort < oldest.sort) oldest = { stored, sort };
    }
    if (oldest !== undefined) this.#options.probe(oldest.stored);
  }

  async #wakeAfterRecovery(endpointId: string, health: EndpointHealth): Promise<void> {
    const recovery = health.restarts.findLast(requeuesDeliveries);
    if (recovery === undefined || recovery.at === this.#recoveries.get(endpointId)) return;
    this.#recoveries.set(endpointId, recovery.at);
    await this.#wakeAll(endpointId, health);
  }

  async #sweepLane(
    stored: StoredLane,
    health: EndpointHealth,
    fannedOutTo: ReadonlyMap<EventFeed, string>,
    wake: SweeperOptions["wake"],
  ) {
    if (!(await this.#options.isActive(stored.lane.accountId))) return;
    const delay = delayUntilDue(stored, health, this.#options.clock.now());
    if (delay !== undefined) {
      if (delay < WAKE_AHEAD_MS) await wake(stored.key, Math.max(0, delay));
      return;
    }
    const upTo = fannedOutTo.get(feedOf(kindOfLane(stored.lane))) ?? "";
    if (isEmptyLane(stored.lane) && stored.lane.last <= upTo) {
      await this.#options.stored.lanes.removeVersion(stored);
    }
  }
}

/** Milliseconds until there is something to do in a lane; undefined: nothing to do. */
function delayUntilDue({ lane }: StoredLane, health: EndpointHealth, now: Instant): number | undefined {
  const current = applyHealthToLane(lane, health);
  const dueAt = laneDueAt(current);
  if (dueAt !== undefined) return dueAt - now;
  // Working on the lane drops what was exhausted in a failure that is over.
  return isEmptyLane(current) && !isEmptyLane(lane) ? 0 : undefined;
}
