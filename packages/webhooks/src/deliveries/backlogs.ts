import { applyHealthToLane, countPending, type EndpointHealth, type Instant } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import { SCAN_PAGE } from "@travel-booking/engines/state-store/prefix-scan";
import type { LaneRecord, Lanes } from "./lanes.ts";

const SPACE = "webhook-backlogs";
/** In the service's time. Far longer than a sweep takes. */
const RETENTION = 60 * 60_000;
/** Up to so many lanes, an endpoint's backlog is counted on request. */
const LANES_COUNTED_AT_ONCE = 2 * SCAN_PAGE;

/** The pending deliveries of an endpoint. JSON. */
export interface Backlog {
  /** Pending deliveries. */
  readonly owed: number;
  /** When the oldest pending event happened; null if none is pending. */
  readonly oldestOwedAt: Instant | null;
}

/** Counts pending deliveries, lane by lane. */
export class BacklogCount implements Backlog {
  lanes = 0;
  /** Lanes with pending deliveries. */
  lanesOwed = 0;
  owed = 0;
  oldestOwedAt: Instant | null = null;

  add(stored: LaneRecord, health: EndpointHealth): void {
    const lane = applyHealthToLane(stored, health);
    this.lanes += 1;
    this.owed += countPending(lane);
    const at = lane.owed[0]?.at;
    if (at === undefined) return;
    this.lanesOwed += 1;
    this.oldestOwedAt = Math.min(this.oldestOwedAt ?? at, at);
  }
}

/**
 * The backlogs of endpoints. Reading one costs the same however large it is. For an endpoint with many lanes, it is the
 * count of the last sweep (docs/rules.md#owed-deliveries).
 */
export class Backlogs {
  readonly #store: Pick<StateStore, "get" | "put">;
  readonly #lanes: Pick<Lanes, "ofEndpoint">;

  constructor(store: Pick<StateStore, "get" | "put">, lanes: Pick<Lanes, "ofEndpoint">) {
    this.#store = store;
    this.#lanes = lanes;
  }

  async of(endpointId: string, health: EndpointHealth): Promise<Backlog> {
    const count = new BacklogCount();
    for await (const { lane } of this.#lanes.ofEndpoint(endpointId)) {
      if (count.lanes === LANES_COUNTED_AT_ONCE) {
        const swept = await this.#store.get<Backlog>(SPACE, endpointId);
        if (swept !== undefined) return swept.value;
      }
      count.add(lane, health);
    }
    return count;
  }

  /** Stores the count of a sweep, if the lanes are too many to count on request. */
  async save(endpointId: string, { lanes, owed, oldestOwedAt }: BacklogCount, now: Instant): Promise<void> {
    if (lanes <= LANES_COUNTED_AT_ONCE) return;
    await this.#store.put<Backlog>(SPACE, endpointId, { owed, oldestOwedAt }, { expiresAt: now + RETENTION });
  }
}
