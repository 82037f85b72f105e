import { crc32 } from "node:zlib";
import { DamagedStore, type Environment } from "../../lmdb/index.ts";
import type { RecordedEvent } from "../port.ts";
import type { EventDatabases } from "./databases.ts";
import type { EventUnpacker } from "./event-codec.ts";
import type { StreamIndex, StreamRevision } from "./stream-index.ts";

/**
 * What is stored for a run of events, under the position of the first: CRC-32 of all that follows it, number of
 * events, number of structures needed to unpack them, where each ends (counted from the end of this header), then the
 * packed events. All numbers are unsigned, 32 bits, little endian.
 */
const CHECKSUM = 4;
const FIXED = 12;
const OFFSET = 4;

/** The events from `start` to before `end` as one record. */
function encodeCommit(
  events: readonly { readonly bytes: Buffer }[],
  start: number,
  end: number,
  structures: number,
): Buffer {
  const count = end - start;
  const header = FIXED + OFFSET * count;
  let size = header;
  for (let at = start; at < end; at++) size += events[at]?.bytes.length ?? 0;
  const record = Buffer.allocUnsafeSlow(size);
  record.writeUInt32LE(count, 4);
  record.writeUInt32LE(structures, 8);
  let written = 0;
  for (let at = start; at < end; at++) {
    written += events[at]?.bytes.copy(record, header + written) ?? 0;
    record.writeUInt32LE(written, FIXED + OFFSET * (at - start));
  }
  record.writeUInt32LE(crc32(record.subarray(CHECKSUM)), 0);
  return record;
}

/** A stored record that was found to be what was written. */
export class CommitRecord {
  readonly first: number;
  readonly count: number;
  readonly #record: Buffer;
  readonly #unpacker: EventUnpacker;

  /** @throws DamagedStore */
  constructor(first: number, record: Buffer, unpacker: EventUnpacker) {
    this.first = first;
    this.#record = record;
    this.#unpacker = unpacker;
    const whole = record.length > FIXED && crc32(record.subarray(CHECKSUM)) === record.readUInt32LE(0);
    if (!whole) throw this.#damaged("is not what was written");
    this.count = record.readUInt32LE(4);
    if (!unpacker.loadStructures(record.readUInt32LE(8)))
      throw this.#damaged("needs names of fields that are not stored");
  }

  /** The position behind the last event. */
  get next(): number {
    return this.first + this.count;
  }

  /** @throws DamagedStore */
  event(index: number): RecordedEvent {
    if (index >= this.count) throw this.#damaged("is shorter than the index of its stream says");
    const body = FIXED + OFFSET * this.count;
    const start = index === 0 ? 0 : this.#record.readUInt32LE(FIXED + OFFSET * (index - 1));
    const end = this.#record.readUInt32LE(FIXED + OFFSET * index);
    const event = this.#unpacker.unpack(this.#record, body + start, body + end);
    if (event.position !== BigInt(this.first + index)) throw this.#damaged("holds an event of another position");
    return event;
  }

  /** All of them. @throws DamagedStore */
  events(): RecordedEvent[] {
    return Array.from({ length: this.count }, (_, index) => this.event(index));
  }

  #damaged(what: string): DamagedStore {
    return new DamagedStore("event log", `the record at position ${this.first} ${what}`);
  }
}

/** A packed event with its place in its stream. */
export interface PackedEvent extends StreamRevision {
  readonly bytes: Buffer;
}

/** A record is closed at this size, so that reading one event out of it stays cheap. In bytes. */
const RECORD_SIZE = 64 * 1024;

/**
 * Stores events, the first of them at position `first`, in one transaction: all or none; with them, if that is due,
 * the index of streams up to there. Resolves when they are flushed.
 */
export async function writeEvents(
  environment: Environment,
  databases: EventDatabases,
  index: StreamIndex,
  first: number,
  events: readonly PackedEvent[],
  structures: number,
): Promise<void> {
  const ends = endsOfRecords(events);
  let indexed: number | undefined;
  await environment.root.batch(() => {
    if (index.isFlushDue) indexed = index.storeTail();
    forEachRecord(ends, (start, end) => {
      void databases.commits.put(first + start, encodeCommit(events, start, end, structures));
    });
  });
  if (indexed !== undefined) index.markStored(indexed);
  forEachRecord(ends, (start, end) => index.addRecord(first + start, events, start, end));
}

/** Stores what is missing in the index of streams. Resolves when it is flushed. */
export async function writeIndex(environment: Environment, index: StreamIndex): Promise<void> {
  if (index.isComplete) return;
  let indexed = 0;
  await environment.root.batch(() => {
    indexed = index.storeTail();
  });
  index.markStored(indexed);
}

function endsOfRecords(events: readonly PackedEvent[]): number[] {
  const ends: number[] = [];
  let size = 0;
  for (const [at, { bytes }] of events.entries()) {
    size += bytes.length;
    if (size < RECORD_SIZE && at < events.length - 1) continue;
    ends.push(at + 1);
    size = 0;
  }
  return ends;
}

function forEachRecord(ends: readonly number[], visit: (start: number, end: number) => void): void {
  let start = 0;
  for (const end of ends) {
    visit(start, end);
    start = end;
  }
}
