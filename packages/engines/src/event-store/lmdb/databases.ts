import type { Database } from "lmdb";
import { DamagedStore, type Environment, translateReadErrors, verifyChecksum, withChecksum } from "../../lmdb/index.ts";

export interface EventDatabases {
  /** Position of the first event of a commit record -> the record. */
  readonly commits: Database<Buffer, number>;
  /** Stream and revision of an event -> location of this event and some that follow it. */
  readonly streams: Database<Buffer, [stream: string, revision: number]>;
  /** The structures of packed events, and the index marker. */
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
 * The field names of every shape of object that was ever packed: msgpackr packs an object as the number of its
 * structure and its values. Only ever grows.
 */
export type Structures = string[][];

const STRUCTURES_KEY = "structures";

/** @throws DamagedStore */
export function loadStructures({ meta }: EventDatabases): Structures {
  const record = meta.get(STRUCTURES_KEY);
  if (record === undefined) return [];
  const content = verifyChecksum(record);
  if (content === undefined)
    throw new DamagedStore(STRUCTURES_KEY, "the names of the fields of events are not what was written");
  return JSON.parse(content.toString("utf8"));
}

/** Flushed when it returns, before any record that needs the structures. */
export function saveStructures({ meta }: EventDatabases, structures: readonly (readonly string[])[]): void {
  meta.putSync(STRUCTURES_KEY, withChecksum(Buffer.from(JSON.stringify(structures), "utf8")));
}

/**
 * The position up to which the stream index is complete, written in one transaction with its entries. 0 is always safe:
 * the index is then rebuilt from the log.
 */
const MARKER_KEY = "indexed";
const MARKER_BYTES = 8;

/** @throws DamagedStore */
export function loadIndexMarker({ meta }: EventDatabases): number {
  const record = meta.get(MARKER_KEY);
  if (record === undefined) return 0;
  const content = verifyChecksum(record);
  if (content?.length !== MARKER_BYTES)
    throw new DamagedStore(MARKER_KEY, "how far streams are indexed is not what was written");
  return content.readDoubleLE(0);
}

/** Call it within a transaction. */
export function putIndexMarker({ meta }: EventDatabases, position: number): void {
  const content = Buffer.allocUnsafe(MARKER_BYTES);
  content.writeDoubleLE(position, 0);
  void meta.put(MARKER_KEY, withChecksum(content));
}

/**
 * Where events of one stream are: in the record that begins at position `commit`, the events at these indexes, of
 * consecutive revisions. Stored as a 64-bit float and unsigned 32-bit numbers, little endian.
 */
interface EventLocation {
  readonly commit: number;
  readonly indexes: readonly number[];
}

/** An entry of the stream index: the location of the event of this revision, and of some that follow it. */
export interface StreamIndexEntry {
  readonly revision: number;
  readonly location: EventLocation;
}

const COMMIT = 8;
const INDEX = 4;

export function encodeLocation({ commit, indexes }: EventLocation): Buffer {
  const value = Buffer.allocUnsafe(COMMIT + INDEX * indexes.length);
  value.writeDoubleLE(commit, 0);
  for (const [at, index] of indexes.entries()) value.writeUInt32LE(index, COMMIT + INDEX * at);
  return value;
}

export function decodeLocation(value: Buffer): EventLocation {
  const count = eventCount(value);
  return {
    commit: value.readDoubleLE(0),
    indexes: Array.from({ length: count }, (_, at) => value.readUInt32LE(COMMIT + INDEX * at)),
  };
}

/** Number of events in a stored location. */
export function eventCount(value: Buffer): number {
  return (value.length - COMMIT) / INDEX;
}

/** The revision after the last event of an entry. */
export function nextRevision({ revision, location }: StreamIndexEntry): number {
  return revision + location.indexes.length;
}
