import type { Document, IndexEntry, Write } from "../index.ts";

/**
 * A stored document. For each of its lists, two top-level fields hold partition and sort value, and an index covers
 * them.
 */
export interface StoredDocument {
  /** The key. */
  readonly _id: string;
  readonly position: bigint;
  readonly created: bigint;
  readonly body: string | null;
  /** JSON. */
  readonly state: string;
  readonly staleAt: number | null;
  readonly [place: `partition_${string}` | `sort_${string}`]: string;
}

/** The rest of a deleted document, which keeps a late writer from restoring it. Reads skip it. */
export interface Tombstone {
  readonly _id: string;
  readonly position: bigint;
  readonly deleted: true;
}

export type Stored = StoredDocument | Tombstone;

const PARTITION = "partition_";

export const partitionField = (index: string): `partition_${string}` => `${PARTITION}${index}`;
export const sortField = (index: string): `sort_${string}` => `sort_${index}`;

export function toStored(write: Write): Stored {
  if (write.kind === "delete") return { _id: write.key, position: write.position, deleted: true };
  const { key, position, created, body, state, staleAt, indexes } = write.document;
  const places: Record<string, string> = {};
  for (const [index, { partition, sort }] of Object.entries(indexes)) {
    places[partitionField(index)] = partition;
    places[sortField(index)] = sort;
  }
  return { _id: key, position, created, body, state: JSON.stringify(state), staleAt, ...places };
}

/** Undefined also for a tombstone. */
export function toDocument(stored: Stored | undefined): Document | undefined {
  if (stored === undefined || "deleted" in stored) return undefined;
  const { _id, position, created, body, state, staleAt } = stored;
  const entryOf = (index: string): IndexEntry => {
    return { partition: stored[partitionField(index)] ?? "", sort: stored[sortField(index)] ?? "" };
  };
  const indexes = Object.fromEntries(indexesOf(stored).map((index) => [index, entryOf(index)]));
  return { key: _id, position, created, body, state: JSON.parse(state), indexes, staleAt, size: sizeOf(stored) };
}

/** The characters of body and state. */
export function sizeOf(stored: Stored): number {
  return "deleted" in stored ? 0 : (stored.body?.length ?? 0) + stored.state.length;
}

/** The lists that the document is in. */
export function indexesOf(stored: Stored): string[] {
  return Object.keys(stored)
    .filter((field) => field.startsWith(PARTITION))
    .map((field) => field.slice(PARTITION.length));
}
