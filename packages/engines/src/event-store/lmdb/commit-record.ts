import { crc32 } from "node:zlib";
import { DamagedStore } from "../../lmdb/index.ts";
import type { Actor, EventToAppend, RecordedEvent } from "../port.ts";

/**
 * A commit record holds a run of events, under the position of the first: CRC-32 of the rest, number of events, the
 * format, that position, the end of each event (from the end of this header), then one JSON array in UTF-8: the events,
 * and last an array of the strings that they refer to by their index, because they repeat: types, accounts, actors.
 * Numbers are little endian: the position a 64-bit float, the others unsigned, 32 bits.
 */
const CHECKSUM = 4;
const COUNT_AT = 4;
const FORMAT_AT = 8;
const POSITION_AT = 12;
const ENDS_AT = 20;
const END = 4;

/** Earlier releases have another number here, and refuse a record with this one. */
const FORMAT = 0xffff_ffff;

/** The end of an event's id, which is stored alone, as a number, if the rest is the same as of its command's id. */
const OWN_DIGITS = 4;
const HEX_DIGITS = /^[0-9a-f]{4}$/;

/** Index of a string. */
type Ref = number;

type StoredEvent = readonly [
  stream: string,
  revision: number,
  id: string | number,
  type: Ref,
  version: number,
  at: number,
  data: unknown,
  accountId: Ref | null,
  actorKind: Ref,
  actorId: Ref,
  requestId: string | null,
  commandId: string,
  causationId: string | null,
];

/** Events of one stream that were appended together. */
export interface AppendedRun {
  readonly stream: string;
  /** Of the first. */
  readonly revision: number;
  readonly count: number;
}

/** A commit record that is being filled. */
export class CommitBuilder {
  /** Position of the first event. */
  readonly first: number;
  /** What was added, oldest first. */
  readonly runs: AppendedRun[] = [];
  readonly #strings = new Map<string, Ref>();
  readonly #ends: number[] = [];
  #text = "[";
  #bytes = 1;

  constructor(first: number) {
    this.first = first;
  }

  /** The position after the last event. */
  get next(): number {
    return this.first + this.#ends.length;
  }

  /** Size of the events in bytes. */
  get size(): number {
    return this.#bytes;
  }

  /** Adds all events or, if one can't be encoded, none. @throws TypeError */
  add(stream: string, revision: number, events: readonly EventToAppend[]): void {
    const encoded = events.map((event, index) => JSON.stringify(this.#stored(stream, revision + index, event)));
    for (const event of encoded) {
      this.#text += `${event},`;
      this.#bytes += Buffer.byteLength(event);
      this.#ends.push(this.#bytes);
      this.#bytes += 1;
    }
    this.runs.push({ stream, revision, count: events.length });
  }

  encode(): Buffer {
    const strings = `${JSON.stringify([...this.#strings.keys()])}]`;
    const textAt = ENDS_AT + END * this.#ends.length;
    const record = Buffer.allocUnsafeSlow(textAt + this.#bytes + Buffer.byteLength(strings));
    record.writeUInt32LE(this.#ends.length, COUNT_AT);
    record.writeUInt32LE(FORMAT, FORMAT_AT);
    record.writeDoubleLE(this.first, POSITION_AT);
    for (const [index, end] of this.#ends.entries()) record.writeUInt32LE(end, ENDS_AT + END * index);
    record.write(this.#text + strings, textAt);
    record.writeUInt32LE(crc32(record.subarray(CHECKSUM)), 0);
    return record;
  }

  #stored(stream: string, revision: number, { id, type, version, at, data, metadata }: EventToAppend): StoredEvent {
    const { accountId, actor, requestId, commandId, causationId } = metadata;
    return [
      stream,
      revision,
      storedId(id, commandId),
      this.#ref(type),
      version,
      at,
      data,
      accountId === null ? null : this.#ref(accountId),
      this.#ref(actor.kind),
      this.#ref(actor.id),
      requestId,
      commandId,
      causationId,
    ];
  }

  #ref(string: string): Ref {
    const known = this.#strings.get(string);
    if (known !== undefined) return known;
    const ref = this.#strings.size;
    this.#strings.set(string, ref);
    return ref;
  }
}

/** A stored record whose checksum is right. */
export interface CommitRecord {
  /** Position of the first event. */
  readonly first: number;
  /** The position after the last event. */
  readonly next: number;
  /** @throws DamagedStore it has fewer events. */
  event(index: number): RecordedEvent;
  events(): readonly RecordedEvent[];
}

export function isIntact(record: Buffer): boolean {
  return record.length > ENDS_AT && crc32(record.subarray(CHECKSUM)) === record.readUInt32LE(0);
}

/** Tells a record as `CommitBuilder` makes it from those of earlier releases. */
export function isJson(record: Buffer): boolean {
  return record.readUInt32LE(FORMAT_AT) === FORMAT;
}

/** A record as `CommitBuilder` makes it. */
export class JsonRecord implements CommitRecord {
  readonly first: number;
  readonly #record: Buffer;
  readonly #count: number;
  readonly #textAt: number;
  #strings: readonly string[] | undefined;
  #events: readonly RecordedEvent[] | undefined;

  /** @throws DamagedStore */
  constructor(first: number, record: Buffer) {
    if (record.readDoubleLE(POSITION_AT) !== first) throw damagedRecord(first, "belongs to another position");
    this.first = first;
    this.#record = record;
    this.#count = record.readUInt32LE(COUNT_AT);
    this.#textAt = ENDS_AT + END * this.#count;
  }

  get next(): number {
    return this.first + this.#count;
  }

  event(index: number): RecordedEvent {
    if (index >= this.#count) throw damagedRecord(this.first, "is shorter than the index of its stream says");
    const stored: StoredEvent = this.#parse(this.#startOf(index), this.#startOf(index + 1) - 1);
    this.#strings ??= this.#parse<readonly string[]>(this.#startOf(this.#count), this.#record.length - 1);
    return recordedEvent(stored, this.#strings, this.first + index);
  }

  /** Decoding them together is faster than one by one. */
  events(): readonly RecordedEvent[] {
    this.#events ??= this.#decode();
    return this.#events;
  }

  #decode(): readonly RecordedEvent[] {
    const array = this.#parse<(StoredEvent | string[])[]>(this.#textAt, this.#record.length);
    const strings = array.pop() as string[];
    return (array as StoredEvent[]).map((event, index) => recordedEvent(event, strings, this.first + index));
  }

  /** Of an event or, behind the last, of the strings. */
  #startOf(index: number): number {
    return this.#textAt + (index === 0 ? 0 : this.#record.readUInt32LE(ENDS_AT + END * (index - 1))) + 1;
  }

  #parse<Value>(start: number, end: number): Value {
    return JSON.parse(this.#record.toString("utf8", start, end));
  }
}

function storedId(id: string, commandId: string): string | number {
  const own = id.slice(-OWN_DIGITS);
  const isDerived =
    HEX_DIGITS.test(own) && commandId.length === id.length && commandId.startsWith(id.slice(0, -OWN_DIGITS));
  return isDerived ? Number.parseInt(own, 16) : id;
}

function recordedEvent(stored: StoredEvent, strings: readonly string[], position: number): RecordedEvent {
  const [stream, revision, id, type, version, at, data, accountId, kind, actorId, requestId, commandId, causationId] =
    stored;
  return {
    stream,
    revision,
    position: BigInt(position),
    id: typeof id === "string" ? id : commandId.slice(0, -OWN_DIGITS) + id.toString(16).padStart(OWN_DIGITS, "0"),
    type: strings[type] as string,
    version,
    at,
    data,
    metadata: {
      accountId: accountId === null ? null : (strings[accountId] as string),
      actor: { kind: strings[kind] as Actor["kind"], id: strings[actorId] as string },
      requestId,
      commandId,
      causationId,
    },
  };
}

export function damagedRecord(first: number, what: string): DamagedStore {
  return new DamagedStore("event log", `the record at position ${first} ${what}`);
}
