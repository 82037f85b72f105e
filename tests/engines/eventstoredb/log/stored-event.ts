/** An event as a client proposes it. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredEvent extends ProposedEvent {
  readonly stream: string;
  readonly revision: bigint;
  /** Of its commit and its prepare. */
  readonly position: bigint;
  /** Milliseconds since the epoch. */
  readonly created: number;
}

/** Positions are offsets in a file on a real server: here they have gaps too, and nothing is in between. */
const SPACING = 100n;

export function positionOf(place: bigint): bigint {
  return place * SPACING;
}

/** False for a position that no event ever had. */
export function isPosition(position: bigint): boolean {
  return position % SPACING === 0n;
}

/** What a tombstone says is the last revision of its stream, and a soft delete the last one to be cut off. */
export const LAST_REVISION = 2n ** 63n - 1n;

export const TOMBSTONE = "$streamDeleted";
export const METADATA = "$metadata";

export function metastreamOf(stream: string): string {
  return `$$${stream}`;
}

export function isSystem(name: string): boolean {
  return name.startsWith("$");
}

/** The bytes a real server counts towards the limit of one append. */
export function sizeOf(events: readonly ProposedEvent[]): number {
  return events.reduce((size, { data, metadata, type }) => size + data.length + metadata.length + 2 * type.length, 0);
}
