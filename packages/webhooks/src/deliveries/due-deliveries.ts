import { applyHealthToLane, type Instant, laneDueAt, pausesAt, wasProbedAfter } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import { EVENT_FEEDS, isAccountActive, type ProjectionProgress } from "@travel-booking/read-models";
import { DeliveryStore } from "./delivery-store.ts";
import type { EndpointState } from "./endpoint-states.ts";
import { deliverablePosition, eventsToFanOut } from "./fan-out-state.ts";

interface DueDeliveriesOptions {
  readonly store: StateStore;
  readonly models: ReadModels;
  readonly progress: Pick<ProjectionProgress, "positionOf">;
}

/** When deliveries are due: none of an account that is suspended. Computed from the store alone, so that every process finds the same. */
export class DueDeliveries {
  readonly #stored: DeliveryStore;
  readonly #options: DueDeliveriesOptions;

  constructor(options: DueDeliveriesOptions) {
    this.#stored = new DeliveryStore(options.store);
    this.#options = options;
  }

  /**
   * The next due time after `now`, for a clock that is being moved since `movedSince`; undefined if nothing is due.
   * Leaves out endpoints that were probed in vain meanwhile, because to their receivers hardly any time has passed.
   */
  async nextDueAt(now: Instant, movedSince: Instant): Promise<Instant | undefined> {
    let earliest: Instant | undefined;
    for await (const dueAt of this.#dueTimes(movedSince)) {
      if (dueAt > now && (earliest === undefined || dueAt < earliest)) earliest = dueAt;
    }
    return earliest;
  }

  /** Whether every deliverable event has been fanned out and nothing is due at `now`. */
  async isSettled(now: Instant): Promise<boolean> {
    if ((await this.countPendingEvents(1)) > 0) return false;
    for await (const _ of this.#stored.replays.open()) return false;
    for await (const dueAt of this.#dueTimes()) if (dueAt <= now) return false;
    return true;
  }

  /** The number of deliverable events that have not been fanned out, at most `limit`. */
  async countPendingEvents(limit: number): Promise<number> {
    const { models, progress } = this.#options;
    let count = 0;
    for (const feed of EVENT_FEEDS) {
      const checkpoint = await this.#stored.checkpoints.load(feed);
      const range = { checkpoint, upTo: deliverablePosition(progress, feed), limit: limit - count };
      count += (await eventsToFanOut(models, feed, range)).length;
      if (count === limit) break;
    }
    return count;
  }

  /** Leaves out probes of endpoints that were probed in vain after `moment`. */
  async *#dueTimes(moment = Number.POSITIVE_INFINITY): AsyncGenerator<Instant> {
    const { lanes, endpoints } = this.#stored;
    for await (const endpointId of lanes.endpoints()) {
      const state = await endpoints.get(endpointId);
      const pauseAt = pausesAt(state.health);
      if (pauseAt !== undefined) yield pauseAt;
      if (!wasProbedAfter(state.health, moment)) yield* this.#dueTimesOf(endpointId, state);
    }
  }

  async *#dueTimesOf(endpointId: string, { health, deletedAt }: EndpointState): AsyncGenerator<Instant> {
    if (deletedAt !== null || (health.status === "paused" && health.probeAt === null)) return;
    for await (const { lane } of this.#stored.lanes.ofEndpoint(endpointId)) {
      const dueAt = laneDueAt(applyHealthToLane(lane, health));
      if (dueAt === undefined) continue;
      if (!(await isAccountActive(this.#options.models, lane.accountId))) return;
      yield health.probeAt ?? dueAt;
      // There is one probe per endpoint.
      if (health.probeAt !== null) return;
    }
  }
}
