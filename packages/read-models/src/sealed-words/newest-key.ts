import type { StateStore } from "@travel-booking/engines/state-store";

const RECORD = ["keys", "newest"] as const;

/** Where a record of the store of keys is. */
type Newest = readonly [space: string, key: string];

export type NewestKeyRecord = Pick<StateStore, "put">;

/** Before anything is appended that is sealed under the key: what becomes durable in this order is never behind the log. */
export function recordNewestKey(log: NewestKeyRecord | undefined, ...newest: Newest): void {
  // A store that can't write ends the process, or says so to whoever writes next.
  log?.put<Newest>(...RECORD, newest).catch(() => undefined);
}

/**
 * Whether these keys are those of this log, and not older than it: else words would read as erased that nobody has erased.
 * @throws StateStoreUnavailable
 */
export async function areKeysOf(log: Pick<StateStore, "get">, keys: Pick<StateStore, "get">): Promise<boolean> {
  const newest = await log.get<Newest>(...RECORD);
  return newest === undefined || (await keys.get(...newest.value)) !== undefined;
}

/** The keys of this log are given up. @throws StateStoreUnavailable */
export async function giveUpKeys(log: Pick<StateStore, "remove">): Promise<void> {
  await log.remove(...RECORD);
}
