import { randomUUID } from "node:crypto";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import type { StateRecord, StateStore } from "../state-store/index.ts";
import {
  DEFAULT_LEASE_DURATION_MS,
  LEASE_FRACTIONS,
  type LeaseState,
  RecordLease,
  VersionWatch,
} from "./record-lease.ts";

const SPACE = "leases";

export interface LeasesOptions {
  /** Who this process is: an id nobody else has ever had, a restarted process neither. A random one unless told. */
  readonly holder?: string;
  /** How long a lease outlives its holder; 5,000 unless told. The same for everybody who shares the store. */
  readonly durationMs?: number;
  readonly realTime?: RealTime;
}

/** Work under a lease; has to end soon after the signal aborts. */
export type LeasedWork = (signal: AbortSignal) => Promise<void>;

/**
 * Has something run on one of many instances at a time. Another takes over within seconds where the one that runs it
 * dies, and at once where it ends. A process that stops dead in the middle of its work, and goes on much later, may do
 * a last thing before it learns that it was replaced: what is done under a lease must be harmless to do twice.
 */
export class Leases {
  readonly #store: StateStore;
  readonly #holder: string;
  readonly #durationMs: number;
  readonly #realTime: RealTime;
  readonly #names = new Set<string>();

  constructor(store: StateStore, options: LeasesOptions = {}) {
    this.#store = store;
    this.#holder = options.holder ?? randomUUID();
    this.#durationMs = options.durationMs ?? DEFAULT_LEASE_DURATION_MS;
    this.#realTime = options.realTime ?? realTime;
  }

  /**
   * Waits for the lease and does the work while it is held, again and again until `signal` aborts; then resolves, with
   * the work ended and the lease given back. The signal of the work aborts with that one, and when the lease is lost or
   * could not be renewed in time, before anybody else can have it. The store being out of reach is waited out.
   * @throws Error what the work failed with while it had the lease, which is given back first; or this process has
   *   asked for the same lease already.
   */
  async runUnderLease(name: string, work: LeasedWork, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (this.#names.has(name)) throw new Error(`this process has asked for the lease ${name} already`);
    this.#names.add(name);
    try {
      while (!signal.aborted) {
        const lease = await this.#acquire(name, signal);
        if (lease !== undefined) await this.#runHolding(lease, work, signal);
        // So that another has its turn, and work that ends at once does not run without a pause.
        await this.#realTime.pause(2 * this.#pollIntervalMs, signal);
      }
    } finally {
      this.#names.delete(name);
    }
  }

  /** Who has the lease, or had it last without giving it back; undefined: nobody. */
  async holderOf(name: string): Promise<string | undefined> {
    return (await this.#store.get<LeaseState>(SPACE, name))?.value.holder ?? undefined;
  }

  get #pollIntervalMs(): number {
    return this.#durationMs * LEASE_FRACTIONS.looked;
  }

  async #acquire(name: string, signal: AbortSignal): Promise<RecordLease<LeaseState> | undefined> {
    const watch = new VersionWatch(this.#realTime);
    while (!signal.aborted) {
      const lease = await this.#tryAcquire(name, watch).catch(() => undefined);
      if (lease !== undefined) return lease;
      await this.#realTime.pause(this.#pollIntervalMs, signal);
    }
    return undefined;
  }

  /** Takes the lease where it is free, or its holder has let it stand for its length. */
  async #tryAcquire(name: string, watch: VersionWatch): Promise<RecordLease<LeaseState> | undefined> {
    const value: LeaseState = { holder: this.#holder };
    const known = await this.#store.get<LeaseState>(SPACE, name);
    const since = this.#realTime.now();
    if (known === undefined) {
      const { created, record } = await this.#store.create(SPACE, name, value);
      return created ? this.#recordLease(record, since) : undefined;
    }
    const { holder } = known.value;
    // One's own name stands there after a write whose outcome was never told.
    const isFree =
      holder === null || holder === this.#holder || watch.unchangedForMs(known.version) >= this.#durationMs;
    const record = isFree ? await this.#store.replace(SPACE, name, known.version, value) : undefined;
    return record && this.#recordLease(record, since);
  }

  #recordLease(record: StateRecord<LeaseState>, since: number): RecordLease<LeaseState> {
    return new RecordLease({
      store: this.#store,
      space: SPACE,
      record,
      acquiredAt: since,
      durationMs: this.#durationMs,
      realTime: this.#realTime,
    });
  }

  async #runHolding(lease: RecordLease<LeaseState>, work: LeasedWork, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const lapse = new AbortController();
    const working = AbortSignal.any([signal, lapse.signal]);
    const upkeep = Promise.all([
      lease.renewUntil(done.signal).then(() => lease.isLost && lapse.abort()),
      this.#abortBeforeExpiry(lease, lapse, done.signal),
    ]);
    try {
      if (!working.aborted) await work(working);
    } catch (error) {
      if (!working.aborted) throw error;
    } finally {
      done.abort();
      await upkeep;
      // Where it can't be given back it lapses.
      await lease.write({ holder: null }).catch(() => false);
    }
  }

  async #abortBeforeExpiry(lease: RecordLease<LeaseState>, lapse: AbortController, done: AbortSignal): Promise<void> {
    while (lease.isValid && !done.aborted) {
      await this.#realTime.pause(lease.validUntil - this.#realTime.now(), done);
    }
    if (!lease.isValid) lapse.abort();
  }
}
