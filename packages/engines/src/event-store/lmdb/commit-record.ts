import { crc32 } from "node:zlib";
import { DamagedStore } from "../../lmdb/index.ts";
import type { RecordedEvent } from "../port.ts";
import type { EventUnpacker } from "./event-codec.ts";

/**
 * A commit record holds a run of events, under the position of the first: CRC-32 of the rest, number of events, number
 * of structures needed to unpack them, the end of each (from the end of this header), then the packed events. All
 * numbers are unsigned, 32 bits, little endian.
 */
const CHECKSUM = 4;
const FIXED = 12;
const OFFSET = 4;

/** Encodes the events from `start` to before `end`. */
export function encodeCommit(
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

/** A stored record whose checksum is right. */
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
    const isIntact = record.length > FIXED && crc32(record.subarray(CHECKSUM)) === record.readUInt32LE(0);
    if (!isIntact) throw this.#damaged("is not what was written");
    this.count = record.readUInt32LE(4);
    if (!unpacker.loadStructures(record.readUInt32LE(8)))
      throw this.#damaged("needs names of fields that are not stored");
  }

  /** The position after the last event. */
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

  events(): RecordedEvent[] {
    return Array.from({ length: this.count }, (_, index) => this.event(index));
  }

  #damaged(what: string): DamagedStore {
    return new DamagedStore("event log", `the record at position ${this.first} ${what}`);
  }
}
