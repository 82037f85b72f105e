import { Unpackr } from "msgpackr";
import { DamagedStore, verifyChecksum } from "../../lmdb/index.ts";
import type { RecordedEvent } from "../port.ts";
import { type CommitRecord, damagedRecord } from "./commit-record.ts";
import type { EventDatabases } from "./databases.ts";

/**
 * Records of earlier releases, which are only read: CRC-32 of the rest, number of events, number of structures needed
 * to unpack them, the end of each (from the end of this header), then the events in msgpack. All numbers are unsigned,
 * 32 bits, little endian.
 */
const COUNT_AT = 4;
const STRUCTURES_AT = 8;
const ENDS_AT = 12;
const END = 4;

/** The field names of every shape of object: an object is packed as the number of its shape and its values. */
const STRUCTURES_KEY = "structures";

/** Unpacks events; loads the structures when the first record needs them. */
export class PackedEvents {
  readonly #databases: EventDatabases;
  #loaded: { readonly count: number; readonly unpackr: Unpackr } | undefined;

  constructor(databases: EventDatabases) {
    this.#databases = databases;
  }

  get structures(): number {
    return this.#load().count;
  }

  /** From `start` to before `end`. */
  unpack(record: Buffer, start: number, end: number): RecordedEvent {
    return this.#load().unpackr.unpack(record, { start, end });
  }

  #load() {
    if (this.#loaded !== undefined) return this.#loaded;
    const structures = loadStructures(this.#databases);
    this.#loaded = { count: structures.length, unpackr: new Unpackr({ getStructures: () => structures }) };
    return this.#loaded;
  }
}

/** @throws DamagedStore */
function loadStructures({ meta }: EventDatabases): string[][] {
  const record = meta.get(STRUCTURES_KEY);
  const content = record && verifyChecksum(record);
  if (content !== undefined) return JSON.parse(content.toString("utf8"));
  throw new DamagedStore(STRUCTURES_KEY, "the names of the fields of events are not what was written");
}

/** A record of an earlier release whose checksum is right. */
export class PackedRecord implements CommitRecord {
  readonly first: number;
  readonly #record: Buffer;
  readonly #packed: PackedEvents;
  readonly #count: number;

  /** @throws DamagedStore */
  constructor(first: number, record: Buffer, packed: PackedEvents) {
    this.first = first;
    this.#record = record;
    this.#packed = packed;
    this.#count = record.readUInt32LE(COUNT_AT);
    if (record.readUInt32LE(STRUCTURES_AT) > packed.structures)
      throw damagedRecord(first, "needs names of fields that are not stored");
  }

  get next(): number {
    return this.first + this.#count;
  }

  event(index: number): RecordedEvent {
    if (index >= this.#count) throw damagedRecord(this.first, "is shorter than the index of its stream says");
    const body = ENDS_AT + END * this.#count;
    const start = index === 0 ? 0 : this.#endOf(index - 1);
    const event = this.#packed.unpack(this.#record, body + start, body + this.#endOf(index));
    if (event.position !== BigInt(this.first + index)) throw damagedRecord(this.first, "belongs to another position");
    return event;
  }

  events(): readonly RecordedEvent[] {
    return Array.from({ length: this.#count }, (_, index) => this.event(index));
  }

  #endOf(index: number): number {
    return this.#record.readUInt32LE(ENDS_AT + END * index);
  }
}
