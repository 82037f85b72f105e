import type { Database } from "lmdb";
import { type Environment, TEXT_KEYS } from "../../lmdb/index.ts";

/** A record's space, a zero, and its key in the space. */
export type RecordKey = `${string}\0${string}`;

export type ExpiryKey = [expiresAt: number, space: string, key: string];

export interface StateDatabases {
  readonly records: Database<Buffer, RecordKey>;
  /** An entry for each record that expires. Its value has no meaning. */
  readonly expiry: Database<Buffer, ExpiryKey>;
}

/** Number of named databases. */
export const LMDB_STATE_STORE_DATABASES = 2;

const PREFIX = "state-";

/** Whether this is the name of a database of the state store. */
export function isStateDatabase(name: string): boolean {
  return name.startsWith(PREFIX);
}

export function openStateDatabases({ root }: Environment): StateDatabases {
  const records = { name: `${PREFIX}records`, encoding: "binary" as const, keyEncoder: TEXT_KEYS };
  return {
    records: root.openDB<Buffer, RecordKey>(records),
    expiry: root.openDB<Buffer, ExpiryKey>({ name: `${PREFIX}expiry`, encoding: "binary" }),
  };
}

export function recordKey(space: string, key: string): RecordKey {
  return `${space}\0${key}`;
}
