import type { Database } from "lmdb";
import { DamagedStore, type Environment, translateReadErrors, verifyChecksum, withChecksum } from "../../lmdb/index.ts";

/** Three databases of one environment. */
export interface EventDatabases {
  /** Position of the first event of a record -> the record. */
  readonly commits: Database<Buffer, number>;
  /** Stream and revision of its first event in a record -> where that and the following ones are. */
  readonly streams: Database<Buffer, [stream: string, revision: number]>;
  /** The structures that packed events refer to. */
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
 * The field names of every shape of object that was ever packed: a packed object is a number that says which, and
 * its values. Only ever grows.
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

/** Flushed when it returns, so that no record that needs them can come before them. */
export function saveStructures({ meta }: EventDatabases, structures: readonly (readonly string[])[]): void {
  meta.putSync(STRUCTURES_KEY, withChecksum(Buffer.from(JSON.stringify(structures), "utf8")));
}

/**
 * Up to which position the index of streams is complete. Written in one transaction with the entries it speaks of;
 * 0 where it was never written, which is always safe: the index is then made from the log again.
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

/** To be called within a transaction. */
export function putIndexMarker({ meta }: EventDatabases, position: number): void {
  const content = Buffer.allocUnsafe(MARKER_BYTES);
  content.writeDoubleLE(position, 0);
  void meta.put(MARKER_KEY, withChecksum(content));
}

/**
 * Where events of one stream are: in the record that begins at position `commit`, the events at these indexes, of
 * revisions that follow each other. Stored as one 64-bit float and as many unsigned 32-bit numbers, little endian.
 */
interface EventLocation {
  readonly commit: number;
  readonly indexes: readonly number[];
}

/** One entry of the index of a stream: where its event of this revision is, and some of those that follow. */
export interface StreamIndexEntry {
  readonly revision: number;
  readonly location: EventLocation;
}

const COMMIT = 8;
const INDEX = 4;

export function encodeLocation(place: EventLocation): Buffer {
  const value = Buffer.allocUnsafe(COMMIT + INDEX * place.indexes.length);
  value.writeDoubleLE(place.commit, 0);
  for (const [at, index] of place.indexes.entries()) value.writeUInt32LE(index, COMMIT + INDEX * at);
  return value;
}

export function decodeLocation(value: Buffer): EventLocation {
  const count = eventCount(value);
  return {
    commit: value.readDoubleLE(0),
    indexes: Array.from({ length: count }, (_, at) => value.readUInt32LE(COMMIT + INDEX * at)),
  };
}

/** How many events a stored place speaks of. */
export function eventCount(value: Buffer): number {
  return (value.length - COMMIT) / INDEX;
}

/** The revision behind the last event an entry speaks of. */
export function nextRevision({ revision, location }: StreamIndexEntry): number {
  return revision + location.indexes.length;
}
