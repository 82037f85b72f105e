import { setImmediate } from "node:timers/promises";
import { isEmptyLane, type Lane } from "@travel-booking/domain";
import type { StateRecord, StateStore } from "@travel-booking/engines/state-store";
import { endpointPrefix, parseLaneKey } from "./lane-key.ts";
import { scanPrefix } from "./prefix-scan.ts";

const SPACE = "webhook-lanes";
/** Look-ups before others have their turn. */
const READS_PER_TURN = 100;

/** A lane as it is stored. */
export interface LaneRecord extends Lane {
  /** Who is at work on it, where several processes may be; null: nobody. */
  readonly holder: string | null;
}

export interface StoredLane {
  readonly key: string;
  readonly lane: LaneRecord;
  readonly version: number;
}

export interface ChangeOptions {
  /** The lane as it was read last: spares a look at it where nobody has changed it since. */
  readonly known?: StoredLane | undefined;
  /** Whether a lane is kept that has nothing left in it. */
  readonly keepEmpty?: (lane: LaneRecord) => boolean;
}

/** What endpoints are owed: one record per lane, there as long as something is. */
export class Lanes {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  async get(key: string): Promise<StoredLane | undefined> {
    const record = await this.#store.get<LaneRecord>(SPACE, key);
    return record && stored(record);
  }

  /** The lanes of one endpoint. */
  async *ofEndpoint(endpointId: string): AsyncGenerator<StoredLane> {
    for await (const record of scanPrefix<LaneRecord>(this.#store, SPACE, endpointPrefix(endpointId))) {
      yield stored(record);
    }
  }

  /** The endpoints that have lanes: one look-up each, however many lanes they have. */
  async *endpoints(): AsyncGenerator<string> {
    let after: string | undefined;
    for (let count = 1; ; count += 1) {
      if (count % READS_PER_TURN === 0) await setImmediate();
      const [first] = await this.#store.list(SPACE, { limit: 1, ...(after === undefined ? {} : { after }) });
      if (first === undefined) return;
      const { endpointId } = parseLaneKey(first.key);
      yield endpointId;
      // Behind every key of that endpoint: a slash is followed by a zero.
      after = `${endpointId}0`;
    }
  }

  /**
   * Changes a lane on the version that is there. `change` answers the lane it was given where there is nothing to
   * change, and may be called again where somebody else was faster. A lane that is spent goes, unless `keepSpent`.
   * Durable when it resolves, with the lane as it is then; undefined: it is not there.
   */
  async change(
    key: string,
    change: (lane: LaneRecord | undefined) => LaneRecord | undefined,
    { known, keepEmpty = () => false }: ChangeOptions = {},
  ): Promise<StoredLane | undefined> {
    for (let found = known ?? (await this.get(key)); ; found = await this.get(key)) {
      const lane = change(found?.lane);
      const goes = lane === undefined || (isEmptyLane(lane) && !keepEmpty(lane));
      if (found !== undefined && lane === found.lane && !goes) return found;
      if (goes) {
        if (found === undefined || (await this.removeVersion(found))) return undefined;
      } else {
        const written = await this.#write(key, found, lane);
        if (written !== undefined) return written;
      }
    }
  }

  /** Writes a lane over the version that was read; undefined, and nothing is written, where it is another by now. */
  async replace({ key, version }: StoredLane, lane: LaneRecord): Promise<StoredLane | undefined> {
    const record = await this.#store.replace(SPACE, key, version, lane);
    return record && stored(record);
  }

  async #write(key: string, found: StoredLane | undefined, lane: LaneRecord): Promise<StoredLane | undefined> {
    if (found !== undefined) return this.replace(found, lane);
    const { created, record } = await this.#store.create(SPACE, key, lane);
    return created ? stored(record) : undefined;
  }

  /** Removes the version that was read; false where it is another by now. */
  removeVersion({ key, version }: StoredLane): Promise<boolean> {
    return this.#store.removeIfVersion(SPACE, key, version);
  }

  /** Forgets what an endpoint was owed. */
  async removeAll(endpointId: string): Promise<void> {
    for await (const { key } of this.ofEndpoint(endpointId)) await this.#store.remove(SPACE, key);
  }
}

function stored({ key, value, version }: StateRecord<LaneRecord>): StoredLane {
  return { key, lane: value, version };
}
