import {
  type EndpointHealth,
  freesDeliveries,
  type Instant,
  isProbeDue,
  isSpent,
  laneDueAt,
  laneUnder,
  lapsed,
} from "@travel-booking/domain";
import type { Clock, Logger } from "@travel-booking/runtime";
import type {
  EndpointState,
  EndpointStates,
  FanOutCheckpoint,
  Lanes,
  StoredLane,
} from "@travel-booking/webhooks/deliveries";
import type { Tally } from "../delivering/tally.ts";

export interface KeeperOptions {
  readonly lanes: Lanes;
  readonly endpoints: EndpointStates;
  readonly checkpoint: Pick<FanOutCheckpoint, "load">;
  readonly clock: Clock;
  readonly tally: Tally;
  readonly logger: Logger;
  /** Has a lane worked on, after so many milliseconds of real time. */
  readonly wake: (lane: string, delayMs?: number) => Promise<void> | void;
  /** Makes the delivery a lane is owed next, as a probe of its endpoint. */
  readonly probe: (stored: StoredLane) => void;
  /** Abandons what is under way to an endpoint. */
  readonly abandon: (endpointId: string) => void;
}

/** A lane that is due later than this is found again by the next sweeps. */
export const SWEEP_EVERY_MS = 30_000;

/** Sees to what no event and no attempt leads to: pauses, probes, endpoints resumed or deleted, wake-ups that were lost. */
export class Keeper {
  readonly #options: KeeperOptions;
  /** When endpoints were last seen to have been restarted. */
  readonly #restarts = new Map<string, Instant>();
  /** Deleted, and so is what they were owed. */
  readonly #forgotten = new Set<string>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Looks at every endpoint there is something to say of. */
  async look(): Promise<void> {
    for await (const { endpointId, state } of this.#options.endpoints.all()) await this.#lookAt(endpointId, state);
  }

  /** Looks at one endpoint: it was resumed, or deleted, or takes deliveries again. */
  async lookAt(endpointId: string): Promise<void> {
    await this.#lookAt(endpointId, await this.#options.endpoints.get(endpointId));
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
      lanes.push([laneUnder(lane, health).owed[0]?.sort ?? "", key]);
    }
    lanes.sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [, key] of lanes) await this.#options.wake(key);
  }

  async #lookAt(endpointId: string, { health, deletedAt }: EndpointState): Promise<void> {
    if (deletedAt !== null) return this.#forget(endpointId);
    const now = this.#options.clock.now();
    const current = lapsed(health, now) === health ? health : await this.#pause(endpointId, now);
    if (isProbeDue(current, now)) await this.#probe(endpointId, current);
    await this.#noticeRestart(endpointId, health);
  }

  async #forget(endpointId: string): Promise<void> {
    // Lanes that an event makes after all are found by the sweep.
    if (this.#forgotten.has(endpointId)) return;
    this.#options.abandon(endpointId);
    await this.#options.lanes.removeAll(endpointId);
    this.#forgotten.add(endpointId);
  }

  async #pause(endpointId: string, now: Instant): Promise<EndpointHealth> {
    const { before, after } = await this.#options.endpoints.change(endpointId, (health) => lapsed(health, now));
    if (before !== after) {
      this.#options.tally.paused("failing");
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
      const under = laneUnder(stored.lane, health);
      if (laneDueAt(under) === undefined) continue;
      const sort = under.owed[0]?.sort ?? under.namedTo;
      if (oldest === undefined || sort < oldest.sort) oldest = { stored, sort };
    }
    return oldest?.stored;
  }

  async #noticeRestart(endpointId: string, health: EndpointHealth): Promise<void> {
    const restart = health.restarts.findLast(freesDeliveries);
    if (restart === undefined || restart.at === this.#restarts.get(endpointId)) return;
    this.#restarts.set(endpointId, restart.at);
    await this.#wakeAll(endpointId, health);
  }

  async #sweepLanes(endpointId: string, health: EndpointHealth, fannedOutTo: string, wake: KeeperOptions["wake"]) {
    const now = this.#options.clock.now();
    for await (const stored of this.#options.lanes.ofEndpoint(endpointId)) {
      const wait = waitOf(stored, health, now);
      if (wait !== undefined) {
        if (wait < SWEEP_EVERY_MS) await wake(stored.key, Math.max(0, wait));
      } else if (isSpent(stored.lane) && stored.lane.last <= fannedOutTo) {
        await this.#options.lanes.removeVersion(stored);
      }
    }
  }
}

/** Milliseconds until there is something to do in a lane; undefined: there is nothing. */
function waitOf({ lane }: StoredLane, health: EndpointHealth, now: Instant): number | undefined {
  const under = laneUnder(lane, health);
  const dueAt = laneDueAt(under);
  if (dueAt !== undefined) return dueAt - now;
  // What is kept of a failure that is over goes when the lane is worked on.
  return isSpent(under) && !isSpent(lane) ? 0 : undefined;
}
