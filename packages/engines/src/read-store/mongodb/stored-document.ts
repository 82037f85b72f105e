import { decodeText, encodeText } from "../../mongodb/index.ts";
import { type Document, type IndexEntry, KeyTooLong, keyOf, type Write } from "../index.ts";

/**
 * A stored document. For each list it is in, two fields at the top level hold partition and sort value, covered by an
 * index.
 */
export interface StoredDocument {
  /** The encoded key. */
  readonly _id: string;
  readonly position: bigint;
  readonly created: bigint;
  readonly body: string | null;
  /** JSON. */
  readonly state: string;
  readonly staleAt: number | null;
  readonly [place: `partition_${string}` | `sort_${string}`]: string;
}

/** What is left of a deleted document, so that a late writer can't restore it. Reads skip it. */
export interface Tombstone {
  readonly _id: string;
  readonly position: bigint;
  readonly deleted: true;
}

export type Stored = StoredDocument | Tombstone;

/**
 * Maximum bytes of a key, and of a partition with its sort value. MongoDB takes more, compatible servers less; it is
 * the limit on LMDB, too.
 */
const LONGEST = 1_900;

const PARTITION = "partition_";
const SORT = "sort_";

export function partitionField(index: string): `partition_${string}` {
  return `${PARTITION}${index}`;
}

export function sortField(index: string): `sort_${string}` {
  return `${SORT}${index}`;
}

/** Undefined for a key that is too long to be stored. */
export function idOf(key: string): string | undefined {
  const id = encodeText(key);
  return Buffer.byteLength(id) > LONGEST ? undefined : id;
}

/** @throws KeyTooLong */
export function checkKeyLengths(write: Write): void {
  if (idOf(keyOf(write)) === undefined) throw new KeyTooLong("a document's key is too long to be stored");
  if (write.kind === "delete") return;
  for (const [index, { partition, sort }] of Object.entries(write.document.indexes)) {
    if (Buffer.byteLength(encodeText(partition)) + Buffer.byteLength(encodeText(sort)) <= LONGEST) continue;
    throw new KeyTooLong(`index ${index}: partition and sort value are too long to be stored`);
  }
}

export function toStored(write: Write): Stored {
  if (write.kind === "delete") return { _id: encodeText(write.key), position: write.position, deleted: true };
  const { key, position, created, body, state, staleAt, indexes } = write.document;
  const places: Record<`partition_${string}` | `sort_${string}`, string> = {};
  for (const [index, { partition, sort }] of Object.entries(indexes)) {
    places[partitionField(index)] = encodeText(partition);
    places[sortField(index)] = encodeText(sort);
  }
  return { _id: encodeText(key), position, created, body, state: JSON.stringify(state), staleAt, ...places };
}

/** Undefined for a tombstone. */
export function toDocument(stored: Stored): Document | undefined {
  if (isTombstone(stored)) return undefined;
  const { _id, position, created, body, state, staleAt } = stored;
  const indexes: Record<string, IndexEntry> = {};
  for (const index of indexesOf(stored)) {
    const partition = stored[partitionField(index)] ?? "";
    const sort = stored[sortField(index)] ?? "";
    indexes[index] = { partition: decodeText(partition), sort: decodeText(sort) };
  }
  return { key: decodeText(_id), position, created, body, state: JSON.parse(state), indexes, staleAt };
}

/** The lists it is in. */
export function indexesOf(stored: Stored): string[] {
  return Object.keys(stored)
    .filter((field) => field.startsWith(PARTITION))
    .map((field) => field.slice(PARTITION.length));
}

function isTombstone(stored: Stored): stored is Tombstone {
  return "deleted" in stored;
}
