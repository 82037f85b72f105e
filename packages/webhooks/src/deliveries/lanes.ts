import { setImmediate } from "node:timers/promises";
import { isEmptyLane, type Lane } from "@travel-booking/domain";
import type { StateRecord, StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";

/** A lane holds the deliveries to one endpoint about one thing, such as a booking. Ids contain no slash. */
interface LaneId {
  readonly endpointId: string;
  /** The id of the thing. */
  readonly about: string;
}

export function laneKey({ endpointId, about }: LaneId): string {
  return endpointPrefix(endpointId) + about;
}

/** The prefix of all keys of an endpoint. As a wake-up it stands for all of its lanes. */
export function endpointPrefix(endpointId: string): string {
  return `${endpointId}/`;
}

export function parseLaneKey(key: string): LaneId {
  const slash = key.indexOf("/");
  return { endpointId: key.slice(0, slash), about: key.slice(slash + 1) };
}

/** The job queue whose jobs wake lanes. */
export const LANE_QUEUE = "webhook-lanes";

export const LANES_SPACE = "webhook-lanes";
/** Look-ups in a row before other work of the event loop gets a turn. */
const READS_PER_TICK = 100;

/** A lane as stored. */
export interface LaneRecord extends Lane {
  /** The process that works on the lane, if there are several processes; null: none. */
  readonly holder: string | null;
}

export interface StoredLane {
  readonly key: string;
  readonly lane: LaneRecord;
  readonly version: number;
}

/** The pending deliveries: one record per lane, removed when the lane is empty. */
export class Lanes {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  async get(key: string): Promise<StoredLane | undefined> {
    const record = await this.#store.get<LaneRecord>(LANES_SPACE, key);
    return record && stored(record);
  }

  /** The lanes of one endpoint. */
  async *ofEndpoint(endpointId: string): AsyncGenerator<StoredLane> {
    for await (const record of scanPrefix<LaneRecord>(this.#store, LANES_SPACE, endpointPrefix(endpointId))) {
      yield stored(record);
    }
  }

  /** The endpoints that have lanes. */
  endpoints(): AsyncGenerator<string> {
    return endpointsIn(this.#store, LANES_SPACE);
  }

  /**
   * Changes a lane by compare and swap. `change` returns the given lane if nothing changes, and is called again after a
   * lost race. An empty lane is removed, unless `keepEmpty`. Durable when it resolves.
   */
  async change(
    key: string,
    change: (lane: LaneRecord | undefined) => LaneRecord | undefined,
    keepEmpty: (lane: LaneRecord) => boolean = () => false,
  ): Promise<void> {
    for (;;) {
      const found = await this.get(key);
      const lane = change(found?.lane);
      const isRemoved = lane === undefined || (isEmptyLane(lane) && !keepEmpty(lane));
      if (isRemoved) {
        if (found === undefined || (await this.removeVersion(found))) return;
      } else if (found === undefined) {
        if ((await this.#store.create(LANES_SPACE, key, lane)).created) return;
      } else if (lane === found.lane || (await this.replace(found, lane)) !== undefined) return;
    }
  }

  /** Replaces the version that was read. If it has changed since, returns undefined and writes nothing. */
  async replace({ key, version }: StoredLane, lane: LaneRecord): Promise<StoredLane | undefined> {
    const record = await this.#store.replace(LANES_SPACE, key, version, lane);
    return record && stored(record);
  }

  /** Removes the version that was read; false if it has changed since. */
  removeVersion({ key, version }: StoredLane): Promise<boolean> {
    return this.#store.removeIfVersion(LANES_SPACE, key, version);
  }

  /** Drops all deliveries of an endpoint. */
  async removeAll(endpointId: string): Promise<void> {
    for await (const { key } of this.ofEndpoint(endpointId)) await this.#store.remove(LANES_SPACE, key);
  }
}

/** The endpoints by whose `endpointPrefix` keys of a space begin. Takes one look-up per endpoint, however many keys it has. */
export async function* endpointsIn(store: Pick<StateStore, "list">, space: string): AsyncGenerator<string> {
  let after: string | undefined;
  for (let count = 1; ; count += 1) {
    if (count % READS_PER_TICK === 0) await setImmediate();
    const [first] = await store.list(space, { limit: 1, ...(after === undefined ? {} : { after }) });
    if (first === undefined) return;
    const { endpointId } = parseLaneKey(first.key);
    yield endpointId;
    // Sorts after every key of that endpoint, because "0" follows "/".
    after = `${endpointId}0`;
  }
}

function stored({ key, value, version }: StateRecord<LaneRecord>): StoredLane {
  return { key, lane: value, version };
}
