import type { Database } from "lmdb";
import type { Environment } from "../../lmdb/index.ts";

/** A record's space, a zero, and its key in the space. */
export type RecordKey = `${string}\0${string}`;

export type ExpiryKey = [expiresAt: number, space: string, key: string];

export interface StateDatabases {
  readonly records: Database<Buffer, RecordKey>;
  /** A record that expires has an entry here; its value means nothing. */
  readonly expiry: Database<Buffer, ExpiryKey>;
}

/** Number of named databases. */
export const LMDB_STATE_STORE_DATABASES = 2;

export function openStateDatabases({ root }: Environment, prefix: string): StateDatabases {
  const records = { name: `${prefix}-records`, encoding: "binary" as const, keyEncoder: { writeKey, readKey } };
  return {
    records: root.openDB<Buffer, RecordKey>(records),
    expiry: root.openDB<Buffer, ExpiryKey>({ name: `${prefix}-expiry`, encoding: "binary" }),
  };
}

export function recordKey(space: string, key: string): RecordKey {
  return `${space}\0${key}`;
}

/** LMDB reads what is behind a key in its buffer. */
const AFTER_KEY = 4;

/** Writes the same bytes as LMDB's own encoder for `[space, key]`, which takes three times as long. */
function writeKey(key: RecordKey, target: Buffer, start: number): number {
  const end = start + target.write(key, start);
  if (end > target.length - AFTER_KEY) throw new RangeError("the key is too long");
  return end;
}

function readKey(source: Buffer, start: number, end: number): RecordKey {
  return source.toString("utf8", start, end) as RecordKey;
}
