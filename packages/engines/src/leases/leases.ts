import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { type StateStore, StateStoreUnavailable } from "../state-store/index.ts";
import {
  LEASE_DURATION_MS,
  LEASE_POLL_INTERVAL_MS,
  type LeaseState,
  RecordLease,
  VersionWatch,
} from "./record-lease.ts";

const SPACE = "leases";

/** Must end soon after the signal aborts. */
export type LeasedWork<Result = void> = (signal: AbortSignal) => Promise<Result>;

/**
 * Runs work on one of many instances at a time. Another instance takes over within seconds when that one dies, and at
 * once when it stops. A process that was suspended may still act once after its lease was taken, so work under a lease
 * must be harmless to do twice.
 */
export class Leases {
  readonly #store: StateStore;
  readonly #holder: string;
  readonly #realTime: RealTime;
  readonly #names = new Set<string>();

  /** @param holder a unique id of this process, not reused after a restart. */
  constructor(store: StateStore, holder: string, time: RealTime = realTime) {
    this.#store = store;
    this.#holder = holder;
    this.#realTime = time;
  }

  /**
   * Waits for the lease and does the work while it is held, again and again until `signal` aborts. Resolves when the
   * work has ended and the lease is released. The work's signal also aborts if the lease is lost, or can't be renewed
   * in time: always before another process can have it. The wait outlasts an outage of the store.
   * @throws Error the error of the work, after releasing the lease; or this process already waits for the same lease.
   */
  async runUnderLease(name: string, work: LeasedWork, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    const untilStopped: LeasedWork = async (held) => {
      try {
        held.throwIfAborted();
        await work(held);
      } catch (error) {
        if (!held.aborted) throw error;
      }
    };
    await this.#alone(name, async () => {
      const watch = new VersionWatch(this.#realTime);
      while (!signal.aborted) {
        const lease = await this.#acquire(name, watch, signal).catch(() => undefined);
        if (lease !== undefined) await this.#runHolding(lease, untilStopped, signal);
        await this.#giveWay(signal);
      }
    });
  }

  /**
   * Waits for the lease and does the work once while it is held. The work's signal is that of `runUnderLease`, and its reason the
   * error to end with. `givesWay`: the end waits until others have had a chance.
   * @throws StateStoreUnavailable at once, not as `runUnderLease`; the reason of `signal`; the error of the work.
   */
  runOnce<Result>(
    name: string,
    work: LeasedWork<Result>,
    { signal, givesWay = false }: { readonly signal: AbortSignal; readonly givesWay?: boolean },
  ): Promise<Result> {
    return this.#alone(name, async () => {
      const lease = await this.#acquire(name, new VersionWatch(this.#realTime), signal);
      if (lease === undefined) throw signal.reason;
      const result = await this.#runHolding(lease, work, signal);
      if (givesWay) await this.#giveWay(signal);
      return result;
    });
  }

  async #alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#names.has(name)) throw new Error(`this process has asked for the lease ${name} already`);
    this.#names.add(name);
    try {
      return await work();
    } finally {
      this.#names.delete(name);
    }
  }

  /** Gives other instances a chance, and keeps work that ends at once from looping. */
  async #giveWay(signal: AbortSignal): Promise<void> {
    await this.#realTime.pause(2 * LEASE_POLL_INTERVAL_MS, signal);
  }

  async #acquire(name: string, watch: VersionWatch, signal: AbortSignal): Promise<RecordLease<LeaseState> | undefined> {
    while (!signal.aborted) {
      const lease = await this.#tryAcquire(name, watch);
      if (lease !== undefined) return lease;
      await this.#realTime.pause(LEASE_POLL_INTERVAL_MS, signal);
    }
    return undefined;
  }

  /** Takes the lease if nobody holds it, or its holder no longer renews it. */
  async #tryAcquire(name: string, watch: VersionWatch): Promise<RecordLease<LeaseState> | undefined> {
    const value: LeaseState = { holder: this.#holder };
    const known = await this.#store.get<LeaseState>(SPACE, name);
    const timing = { acquiredAt: this.#realTime.now(), realTime: this.#realTime };
    if (known === undefined) {
      const { created, record } = await this.#store.create(SPACE, name, value);
      return created ? new RecordLease(this.#store, SPACE, record, timing) : undefined;
    }
    const { holder } = known.value;
    // This process's own name is there if the answer to its write was lost.
    const isFree =
      holder === null || holder === this.#holder || watch.unchangedForMs(known.version) >= LEASE_DURATION_MS;
    const record = isFree ? await this.#store.replace(SPACE, name, known.version, value) : undefined;
    return record && new RecordLease(this.#store, SPACE, record, timing);
  }

  async #runHolding<Result>(
    lease: RecordLease<LeaseState>,
    work: LeasedWork<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const done = new AbortController();
    const lapse = new AbortController();
    const working = AbortSignal.any([signal, lapse.signal]);
    const upkeep = Promise.all([
      lease.renewUntil(done.signal).then(() => lease.isLost && lapse.abort(lost())),
      this.#abortBeforeExpiry(lease, lapse, done.signal),
    ]);
    try {
      return await work(working);
    } finally {
      done.abort();
      await upkeep;
      // If the release fails, the lease expires.
      await lease.write({ holder: null }).catch(() => false);
    }
  }

  async #abortBeforeExpiry(lease: RecordLease<LeaseState>, lapse: AbortController, done: AbortSignal): Promise<void> {
    while (lease.isValid && !done.aborted) {
      await this.#realTime.pause(lease.validUntil - this.#realTime.now(), done);
    }
    if (!lease.isValid) lapse.abort(lost());
  }
}

const lost = () => new StateStoreUnavailable("the lease is lost");
