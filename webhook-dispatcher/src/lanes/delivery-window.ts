import { isEmptyLane, newLane, type PendingDelivery, withNewDeliveries } from "@travel-booking/domain";
import { type LaneRecord, type Lanes, parseLaneKey, type StoredLane } from "@travel-booking/webhooks/deliveries";
import type { DelayedCheckpoint } from "../fan-out/delayed-checkpoint.ts";

/** Real time after which a delivery that was not made is stored: where its endpoint is held up, and everywhere. */
const MAX_AGE_MS = { heldUp: 1_000, any: 15_000 };

/** The version of a lane that is in memory only; stored ones begin at 1. */
const IN_MEMORY = 0;

export interface DeliveryWindowOptions {
  readonly lanes: Lanes;
  readonly checkpoint: DelayedCheckpoint;
  /** Works on a lane in this process. */
  readonly enqueue: (key: string, accountId: string) => void;
  /** Wakes a lane in any process. */
  readonly wake: (key: string) => Promise<void>;
  /** More are stored at once: so that memory stays small, and where there are other instances, for them. */
  readonly maxLanes: number;
  /** Whether deliveries to this endpoint wait for others, so that they are better stored. */
  readonly isHeldUp: (endpointId: string) => boolean;
  /** Deliveries to this endpoint have waited for too long. */
  readonly onHeldUp: (endpointId: string) => void;
  readonly maxAgeMs?: typeof MAX_AGE_MS;
}

/** Deliveries to one lane that a page of events adds. */
export interface LaneDeliveries {
  readonly accountId: string;
  readonly deliveries: readonly PendingDelivery[];
}

/** Events that were read together, up to this sort key, and the lanes whose first pending delivery is one of them. */
interface Page {
  last: string;
  readonly since: number;
  readonly lanes: Set<LaneInMemory>;
  isAdded: boolean;
}

interface LaneInMemory {
  readonly key: string;
  lane: LaneRecord;
  page: Page;
  /** While it is being stored. */
  storing?: Promise<StoredLane | undefined> | undefined;
}

/**
 * The deliveries of events behind the checkpoint. They are in memory only: the checkpoint moves on when those before it
 * have been made, or are stored in lanes. A lane is stored when an attempt fails or a delivery has waited for too long;
 * until then it is read and changed here, like a stored one.
 */
export class DeliveryWindow implements Pick<Lanes, "get" | "change" | "replace" | "removeVersion"> {
  readonly #options: Required<DeliveryWindowOptions>;
  readonly #lanes = new Map<string, LaneInMemory>();
  /** Oldest first. */
  #pages: Page[] = [];
  #changed = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: DeliveryWindowOptions) {
    this.#options = { maxAgeMs: MAX_AGE_MS, ...options };
  }

  /** Resolves when everything that was added is behind the stored checkpoint. */
  async settled(): Promise<void> {
    while (this.#pages.length > 0 && !this.#stopped) await this.#changed.promise;
    await this.#options.checkpoint.flush();
  }

  /** The deliveries to an endpoint that are in memory only. */
  pendingOf(endpointId: string): readonly PendingDelivery[] {
    const pending: PendingDelivery[] = [];
    for (const { key, lane } of this.#lanes.values())
      if (parseLaneKey(key).endpointId === endpointId) pending.push(...lane.owed);
    return pending;
  }

  /** Adds the deliveries of the next page of events, by lane. Call `start` then. Must not run concurrently with itself. */
  async add(last: string, byLane: ReadonlyMap<string, LaneDeliveries>): Promise<void> {
    const page = this.#nextPage();
    page.last = last;
    await Promise.all([...byLane].map(([key, added]) => this.#add(key, added, page)));
    page.isAdded = true;
    this.#startTimer();
  }

  /** Starts on the lanes that deliveries were added to. */
  async start(byLane: ReadonlyMap<string, LaneDeliveries>): Promise<void> {
    const stored: string[] = [];
    for (const [key, { accountId }] of byLane) {
      if (this.#lanes.has(key)) this.#options.enqueue(key, accountId);
      else stored.push(key);
    }
    this.#advance();
    await Promise.all(stored.map((key) => this.#options.wake(key)));
  }

  /** Stores a lane that is in memory. */
  async store(key: string): Promise<void> {
    const known = await this.#find(key);
    if (known !== undefined) await this.#store(known);
  }

  async get(key: string): Promise<StoredLane | undefined> {
    const known = await this.#find(key);
    return known === undefined ? this.#options.lanes.get(key) : inMemory(known);
  }

  async change(...[key, change, stored]: Parameters<Lanes["change"]>): Promise<StoredLane | undefined> {
    const known = await this.#find(key);
    if (known === undefined) {
      return this.#options.lanes.change(key, change, stored?.version === IN_MEMORY ? undefined : stored);
    }
    const lane = change(known.lane);
    if (lane === undefined || isEmptyLane(lane)) return this.#drop(known);
    known.lane = lane;
    if (isException(lane)) return this.#store(known);
    this.#moveToPage(known);
    return inMemory(known);
  }

  async replace(stored: StoredLane, lane: LaneRecord): Promise<StoredLane | undefined> {
    if (stored.version !== IN_MEMORY) return this.#options.lanes.replace(stored, lane);
    const known = await this.#find(stored.key);
    if (known?.lane !== stored.lane) return undefined;
    known.lane = lane;
    return inMemory(known);
  }

  async removeVersion(stored: StoredLane): Promise<boolean> {
    if (stored.version !== IN_MEMORY) return this.#options.lanes.removeVersion(stored);
    const known = await this.#find(stored.key);
    if (known?.lane !== stored.lane) return false;
    this.#drop(known);
    return true;
  }

  /** Forgets everything in memory: it follows from the events behind the stored checkpoint. Returns the lanes. */
  clear(): readonly string[] {
    const keys = [...this.#lanes.keys()];
    this.#lanes.clear();
    this.#pages = [];
    this.#options.checkpoint.forget();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#notify();
    return keys;
  }

  /** Waits for nothing any more. */
  stop(): void {
    this.#stopped = true;
    this.#notify();
  }

  /** Forgets everything once what is being written has been written. */
  async close(): Promise<void> {
    this.stop();
    await Promise.allSettled([...this.#lanes.values()].map(({ storing }) => storing));
    await this.#options.checkpoint.flush().catch(() => undefined);
    this.clear();
  }

  /** Waits while the lane is being stored: then it is no longer here. */
  async #find(key: string): Promise<LaneInMemory | undefined> {
    let known = this.#lanes.get(key);
    for (; known?.storing !== undefined; known = this.#lanes.get(key)) await known.storing;
    return known;
  }

  async #add(key: string, { accountId, deliveries }: LaneDeliveries, page: Page): Promise<void> {
    const { lanes, maxLanes, isHeldUp } = this.#options;
    const known = await this.#find(key);
    const add = (lane: LaneRecord = { ...newLane(accountId), holder: null }): LaneRecord => ({
      ...lane,
      ...withNewDeliveries(lane, deliveries),
    });
    if (known !== undefined) {
      known.lane = add(known.lane);
      if (isException(known.lane)) await this.#store(known);
      return;
    }
    const lane = add();
    const isStored = isException(lane) || this.#lanes.size >= maxLanes || isHeldUp(parseLaneKey(key).endpointId);
    if (isStored || (await lanes.get(key)) !== undefined) {
      await lanes.change(key, add);
      return;
    }
    const added = { key, lane, page };
    this.#lanes.set(key, added);
    page.lanes.add(added);
  }

  /** Again the same page if adding to it has failed. */
  #nextPage(): Page {
    const newest = this.#pages.at(-1);
    if (newest?.isAdded === false) return newest;
    const page = { last: "", since: performance.now(), lanes: new Set<LaneInMemory>(), isAdded: false };
    this.#pages.push(page);
    return page;
  }

  #store(known: LaneInMemory): Promise<StoredLane | undefined> {
    known.storing ??= this.#write(known);
    return known.storing;
  }

  async #write(known: LaneInMemory): Promise<StoredLane | undefined> {
    const { key, lane } = known;
    try {
      const stored = await this.#options.lanes.change(key, (existing) =>
        existing === undefined ? lane : { ...existing, ...withNewDeliveries(existing, lane.owed) },
      );
      this.#drop(known);
      return stored;
    } finally {
      known.storing = undefined;
    }
  }

  #drop(known: LaneInMemory): undefined {
    if (this.#lanes.get(known.key) === known) this.#lanes.delete(known.key);
    known.page.lanes.delete(known);
    this.#advance();
  }

  #moveToPage(known: LaneInMemory): void {
    const [first] = known.lane.owed;
    if (first === undefined || first.sort <= known.page.last) return;
    known.page.lanes.delete(known);
    known.page = this.#pages.find(({ last }) => first.sort <= last) ?? known.page;
    known.page.lanes.add(known);
    this.#advance();
  }

  /** Moves the checkpoint behind the pages that are done. */
  #advance(): void {
    for (let [oldest] = this.#pages; oldest?.isAdded && oldest.lanes.size === 0; [oldest] = this.#pages) {
      this.#options.checkpoint.moveTo(oldest.last);
      this.#pages.shift();
    }
    if (this.#pages.length === 0) this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #startTimer(): void {
    this.#timer ??= setTimeout(() => void this.#storeLate(), this.#options.maxAgeMs.heldUp).unref();
  }

  /** Stores what was added too long ago. */
  async #storeLate(): Promise<void> {
    const { maxAgeMs, isHeldUp, onHeldUp, wake } = this.#options;
    this.#timer = undefined;
    const now = performance.now();
    const late: LaneInMemory[] = [];
    for (const { since, lanes } of this.#pages) {
      if (now - since < maxAgeMs.heldUp) break;
      for (const known of lanes) {
        const { endpointId } = parseLaneKey(known.key);
        if (now - since >= maxAgeMs.any) onHeldUp(endpointId);
        if (isHeldUp(endpointId)) late.push(known);
      }
    }
    await Promise.allSettled(late.map((known) => this.#store(known).then(() => wake(known.key))));
    if (this.#pages.length > 0) this.#startTimer();
  }
}

/** Whether it holds what does not follow from the events: failed attempts, or more than it lists. */
function isException({ failures, exhausted, more }: LaneRecord): boolean {
  return failures > 0 || exhausted.length > 0 || more > 0;
}

function inMemory({ key, lane }: LaneInMemory): StoredLane {
  return { key, lane, version: IN_MEMORY };
}
