import { crc32 } from "node:zlib";
import type { Database } from "lmdb";
import { DamagedStore, type Environment, translateReadErrors } from "../../lmdb/index.ts";

export interface EventDatabases {
  /** Position of the first event of a commit record -> the record. */
  readonly commits: Database<Buffer, number>;
  /** Stream and revision of an event -> location of this event and some that follow it. */
  readonly streams: Database<Buffer, [stream: string, revision: number]>;
  /** The index marker. */
  readonly meta: Database<Buffer, string>;
}

export const LMDB_EVENT_STORE_DATABASES = 3;

export function openEventDatabases({ root }: Environment): EventDatabases {
  return translateReadErrors("event log", () => ({
    commits: root.openDB<Buffer, number>({ name: "commits", encoding: "binary" }),
    streams: root.openDB<Buffer, [string, number]>({ name: "streams", encoding: "binary" }),
    meta: root.openDB<Buffer, string>({ name: "meta", encoding: "binary" }),
  }));
}

/**
 * Key of the position up to which the stream index is complete. It is written in one transaction with the entries. With
 * 0 the index is rebuilt from the log. Stored as a CRC-32 of the rest, and a 64-bit float, little endian.
 */
const MARKER_KEY = "indexed";
const MARKER_AT = 4;
const MARKER_BYTES = 12;

/** @throws DamagedStore */
export function loadIndexMarker({ meta }: EventDatabases): number {
  const record = meta.get(MARKER_KEY);
  if (record === undefined) return 0;
  if (record.length !== MARKER_BYTES || crc32(record.subarray(MARKER_AT)) !== record.readUInt32LE(0))
    throw new DamagedStore(MARKER_KEY, "how far streams are indexed is not what was written");
  return record.readDoubleLE(MARKER_AT);
}

/** To be called within a transaction. */
export function putIndexMarker({ meta }: EventDatabases, position: number): void {
  const record = Buffer.allocUnsafe(MARKER_BYTES);
  record.writeDoubleLE(position, MARKER_AT);
  record.writeUInt32LE(crc32(record.subarray(MARKER_AT)), 0);
  void meta.put(MARKER_KEY, record);
}

/**
 * An entry of the stream index: the place of the event with this revision, and of some that follow it. `indexes` are
 * their places in the record at position `commit`. Stored as a 64-bit float and unsigned 32-bit numbers, little endian.
 */
export interface StreamIndexEntry {
  readonly revision: number;
  readonly commit: number;
  readonly indexes: number[];
}

const COMMIT = 8;
const INDEX = 4;

export function encodeEntry({ commit, indexes }: StreamIndexEntry): Buffer {
  const value = Buffer.allocUnsafe(COMMIT + INDEX * indexes.length);
  value.writeDoubleLE(commit, 0);
  for (const [at, index] of indexes.entries()) value.writeUInt32LE(index, COMMIT + INDEX * at);
  return value;
}

export function decodeEntry(revision: number, value: Buffer): StreamIndexEntry {
  const count = (value.length - COMMIT) / INDEX;
  const indexes = Array.from({ length: count }, (_, at) => value.readUInt32LE(COMMIT + INDEX * at));
  return { revision, commit: value.readDoubleLE(0), indexes };
}

/** The revision after the last event of an entry. */
export function nextRevision({ revision, indexes }: StreamIndexEntry): number {
  return revision + indexes.length;
}
