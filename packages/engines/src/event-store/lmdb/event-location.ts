/**
 * Where events of one stream are: in the record that begins at position `commit`, the events at these indexes, of
 * revisions that follow each other. Stored as one 64-bit float and as many unsigned 32-bit numbers, little endian.
 */
export interface EventLocation {
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
