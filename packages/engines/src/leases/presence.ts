import { randomUUID } from "node:crypto";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import type { StateRecord, StateStore } from "../state-store/index.ts";
import { Leases } from "./leases.ts";
import {
  LEASE_DURATION_MS,
  LEASE_POLL_INTERVAL_MS,
  type LeaseState,
  RecordLease,
  VersionWatch,
} from "./record-lease.ts";

const SPACE = "instances";
const MAX_INSTANCES = 1_000;

/**
 * Knows which of the processes that share a state store are alive. Each renews a record of its own. A process has ended
 * if its record says so, or has not changed for the duration of a lease.
 */
export class Presence {
  /** Names this process. No other process ever has this name. */
  readonly instance = randomUUID();
  readonly #store: StateStore;
  readonly #realTime: RealTime;

  constructor(store: StateStore, time: RealTime = realTime) {
    this.#store = store;
    this.#realTime = time;
  }

  /** Shows that this process lives, and after `signal` aborts, that it has ended. Waits out outages of the store. */
  async announce(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const lease = await this.#begin().catch(() => undefined);
      // If another process took this one for dead, it announces itself again.
      await lease?.renewUntil(signal);
      if (signal.aborted) await lease?.write({ holder: null }).catch(() => false);
      else await this.#realTime.pause(LEASE_POLL_INTERVAL_MS, signal);
    }
  }

  /**
   * Calls `onEnded` for each ended process until it succeeds, and then forgets that process. Resolves when `signal`
   * aborts.
   */
  async watch(onEnded: (instance: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    let watches = new Map<string, VersionWatch>();
    while (!signal.aborted) {
      try {
        for (const record of await this.#store.list<LeaseState>(SPACE, { limit: MAX_INSTANCES })) {
          if (!this.#hasEnded(record, watches)) continue;
          await onEnded(record.key);
          await this.#store.removeIfVersion(SPACE, record.key, record.version);
        }
      } catch {
        // Records that can't be read now could not be renewed either, so standing still proves nothing.
        watches = new Map();
      }
      await this.#realTime.pause(LEASE_POLL_INTERVAL_MS, signal);
    }
  }

  async #begin(): Promise<RecordLease<LeaseState>> {
    const timing = { acquiredAt: this.#realTime.now(), realTime: this.#realTime };
    const record = await this.#store.put<LeaseState>(SPACE, this.instance, { holder: this.instance });
    return new RecordLease(this.#store, SPACE, record, timing);
  }

  #hasEnded({ key, value, version }: StateRecord<LeaseState>, watches: Map<string, VersionWatch>): boolean {
    if (key === this.instance) return false;
    if (value.holder === null) return true;
    const watch = watches.get(key) ?? new VersionWatch(this.#realTime);
    watches.set(key, watch);
    return watch.unchangedForMs(version) >= LEASE_DURATION_MS;
  }
}

/** A process among others on the same servers. */
export interface Instance {
  /** No other process ever has it. */
  readonly id: string;
  readonly presence: Presence;
  readonly leases: Leases;
}

export function newInstance(state: StateStore): Instance {
  const presence = new Presence(state);
  return { id: presence.instance, presence, leases: new Leases(state, presence.instance) };
}
