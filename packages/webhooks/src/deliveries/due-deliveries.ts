import { applyHealthToLane, countPending, type Instant, laneDueAt, pausesAt } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { ALL_PARTITION, EVENTS, eventSortKeyAfter, visiblePosition } from "@travel-booking/read-models";
import { type EndpointState, EndpointStates } from "./endpoint-states.ts";
import { FanOutCheckpoint } from "./fan-out-checkpoint.ts";
import { Lanes } from "./lanes.ts";
import { ReplayRequests } from "./replay-requests.ts";

export interface DueDeliveriesOptions {
  readonly store: StateStore;
  readonly models: ReadModels;
  readonly progress: Pick<ProjectionProgress, "positionOf">;
}

/** What falls due of the deliveries, as it is stored; whichever process it falls due for. */
export class DueDeliveries {
  readonly #endpoints: EndpointStates;
  readonly #lanes: Lanes;
  readonly #checkpoint: FanOutCheckpoint;
  readonly #replays: ReplayRequests;
  readonly #models: ReadModels;
  readonly #progress: Pick<ProjectionProgress, "positionOf">;

  constructor({ store, models, progress }: DueDeliveriesOptions) {
    this.#endpoints = new EndpointStates(store);
    this.#lanes = new Lanes(store);
    this.#checkpoint = new FanOutCheckpoint(store);
    this.#replays = new ReplayRequests(store);
    this.#models = models;
    this.#progress = progress;
  }

  /** The soonest moment after `now` at which something falls due; undefined: nothing does. */
  async nextDueAt(now: Instant): Promise<Instant | undefined> {
    let soonest: Instant | undefined;
    for await (const dueAt of this.#dueTimes()) {
      if (dueAt > now && (soonest === undefined || dueAt < soonest)) soonest = dueAt;
    }
    return soonest;
  }

  /** Whether every event that can be seen has been taken up, and nothing is due at `now`. */
  async isSettled(now: Instant): Promise<boolean> {
    if ((await this.countPendingEvents(1)) > 0 || (await this.#replays.next()) !== undefined) return false;
    for await (const dueAt of this.#dueTimes()) if (dueAt <= now) return false;
    return true;
  }

  /** How many events can be seen and have not been taken up, at most `limit`. */
  async countPendingEvents(limit: number): Promise<number> {
    const after = await this.#checkpoint.load();
    const { model, all: index } = EVENTS.event;
    const events = await this.#models.page(model, {
      index,
      partition: ALL_PARTITION,
      order: "ascending",
      limit,
      before: eventSortKeyAfter(visiblePosition(this.#progress)),
      ...(after === "" ? {} : { after }),
    });
    return events.length;
  }

  async *#dueTimes(): AsyncGenerator<Instant> {
    const seen = new Set<string>();
    for await (const endpointId of this.#lanes.endpoints()) {
      seen.add(endpointId);
      yield* this.#dueTimesOf(endpointId, await this.#endpoints.get(endpointId));
    }
    for await (const { endpointId, state } of this.#endpoints.all()) {
      const lapsesAt = seen.has(endpointId) ? undefined : pausesAt(state.health);
      if (lapsesAt !== undefined) yield lapsesAt;
    }
  }

  async *#dueTimesOf(endpointId: string, { health, deletedAt }: EndpointState): AsyncGenerator<Instant> {
    if (deletedAt !== null || (health.status === "paused" && health.probeAt === null)) return;
    const lapsesAt = pausesAt(health);
    if (lapsesAt !== undefined) yield lapsesAt;
    for await (const stored of this.#lanes.ofEndpoint(endpointId)) {
      const lane = applyHealthToLane(stored.lane, health);
      if (health.status !== "paused") {
        const dueAt = laneDueAt(lane);
        if (dueAt !== undefined) yield dueAt;
      } else if (countPending(lane) > 0) {
        // A probe takes the oldest of all: one look is enough.
        yield health.probeAt ?? 0;
        return;
      }
    }
  }
}
