import type { StateStore } from "@travel-booking/engines/state-store";

const RECORD = ["keys", "newest"] as const;

/** The place of a record in the store of keys. */
type Newest = readonly [space: string, key: string];

export type NewestKeyRecord = Pick<StateStore, "put">;

/** Called before anything sealed under the key is appended. So the record, once durable, is never behind the log. */
export function recordNewestKey(log: NewestKeyRecord | undefined, ...newest: Newest): void {
  // The error is ignored, because a store that can't write ends the process or fails the next write.
  log?.put<Newest>(...RECORD, newest).catch(() => undefined);
}

/**
 * Whether these keys belong to this log and are not older. With others, words would wrongly show as erased.
 * @throws StateStoreUnavailable
 */
export async function areKeysOf(log: Pick<StateStore, "get">, keys: Pick<StateStore, "get">): Promise<boolean> {
  const newest = await log.get<Newest>(...RECORD);
  return newest === undefined || (await keys.get(...newest.value)) !== undefined;
}

/** Gives up the keys of this log. @throws StateStoreUnavailable */
export async function giveUpKeys(log: Pick<StateStore, "remove">): Promise<void> {
  await log.remove(...RECORD);
}
