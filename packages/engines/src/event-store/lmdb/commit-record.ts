import { crc32 } from "node:zlib";
import { DamagedStore, StorageError } from "../../lmdb/index.ts";
import type { Actor, EventToAppend, RecordedEvent } from "../port.ts";

/**
 * A commit record holds a run of events, under the position of the first one. Its header has CRC-32 of the rest of the
 * header, CRC-32 of the body, format, position, number of events and number of parts. Then it has the end of each part,
 * counted from the end of the header, and the part's CRC-32. Numbers are little endian: the position a 64-bit float,
 * the others unsigned 32-bit. The body is one JSON array in UTF-8. Its parts are the events, and then the origins that
 * they refer to by index, because origins repeat.
 *
 * So one event can be read and checked without the others, and all events can be checked and parsed at once.
 */
const BODY_CHECKSUM_AT = 4;
const FORMAT_AT = 8;
const POSITION_AT = 12;
const EVENTS_AT = 20;
const COUNT_AT = 24;
const PARTS_AT = 28;
const PART = 8;
const PART_CHECKSUM = 4;

const FORMAT = 4;
/** The same format, except that no event has anything sealed beside its data. */
const FORMER_FORMAT = 3;

/** The last digits of an event's id. If the rest equals its command's id, only they are stored, as a number. */
const OWN_DIGITS = 4;
const HEX_DIGITS = /^[0-9a-f]{4}$/;

type StoredEvent = readonly [
  stream: string,
  revision: number,
  id: string | number,
  type: string,
  version: number,
  at: number,
  data: unknown,
  commandId: string,
  causationId: string | null,
  /** Index among the origins. */
  origin: number,
  sealed?: string,
];

const ORIGIN = 9;

/** The cause of an event: account, actor and request. */
type StoredOrigin = readonly [
  accountId: string | null,
  actorKind: Actor["kind"],
  actorId: string,
  requestId: string | null,
];

/** A commit record that is being filled. */
export class CommitBuilder {
  /** Position of the first event. */
  readonly first: number;
  /** The added events, oldest first. */
  readonly events: { readonly stream: string; readonly revision: number; readonly json: string }[] = [];
  /** The indexes of the origins, by their JSON. */
  readonly #origins = new Map<string, number>();
  #size = 1;

  constructor(first: number) {
    this.first = first;
  }

  /** The position after the last event. */
  get next(): number {
    return this.first + this.events.length;
  }

  /** Bytes of the body so far: the opening bracket, and each part with the comma or bracket after it. */
  get size(): number {
    return this.#size;
  }

  /** Adds all events or, if one can't be encoded, none. @throws TypeError */
  add(stream: string, revision: number, events: readonly EventToAppend[]): void {
    const encoded = events.map((event, index) => JSON.stringify(this.#stored(stream, revision + index, event)));
    for (const [index, json] of encoded.entries()) {
      this.events.push({ stream, revision: revision + index, json });
      this.#size += Buffer.byteLength(json) + 1;
    }
  }

  encode(): Buffer {
    const parts = [...this.events.map(({ json }) => json), ...this.#origins.keys()];
    const header = PARTS_AT + PART * parts.length;
    // Commas remain between the parts.
    const record = Buffer.alloc(header + this.#size, ",");
    record.write("[", header);
    record.write("]", header + this.#size - 1);
    let start = header + 1;
    for (const [index, part] of parts.entries()) {
      const end = start + record.write(part, start);
      const at = PARTS_AT + PART * index;
      record.writeUInt32LE(end - header, at);
      record.writeUInt32LE(crc32(record.subarray(start, end)), at + PART_CHECKSUM);
      start = end + 1;
    }
    record.writeUInt32LE(crc32(record.subarray(header)), BODY_CHECKSUM_AT);
    record.writeUInt32LE(FORMAT, FORMAT_AT);
    record.writeDoubleLE(this.first, POSITION_AT);
    record.writeUInt32LE(this.events.length, EVENTS_AT);
    record.writeUInt32LE(parts.length, COUNT_AT);
    record.writeUInt32LE(crc32(record.subarray(BODY_CHECKSUM_AT, header)), 0);
    return record;
  }

  #stored(stream: string, revision: number, event: EventToAppend): StoredEvent {
    const { id, type, version, at, data, sealed, metadata } = event;
    const { accountId, actor, requestId, commandId, causationId } = metadata;
    const origin = this.#originOf([accountId, actor.kind, actor.id, requestId]);
    const stored = [
      stream,
      revision,
      storedId(id, commandId),
      type,
      version,
      at,
      data,
      commandId,
      causationId,
    ] as const;
    return sealed === undefined ? [...stored, origin] : [...stored, origin, sealed];
  }

  #originOf(origin: StoredOrigin): number {
    const json = JSON.stringify(origin);
    const known = this.#origins.get(json);
    if (known !== undefined) return known;
    const index = this.#origins.size;
    this.#origins.set(json, index);
    this.#size += Buffer.byteLength(json) + 1;
    return index;
  }
}

/** A stored record. Every part is checked before it is read. */
export class CommitRecord {
  /** Position of the first event. */
  readonly first: number;
  readonly #record: Buffer;
  readonly #size: number;
  /** Where the body begins. */
  readonly #body: number;

  /** @throws StorageError the record is damaged, of another position or of another format. */
  constructor(first: number, record: Buffer) {
    this.first = first;
    this.#record = record;
    if (record.length < PARTS_AT) throw damagedRecord(first, NOT_AS_WRITTEN);
    const format = record.readUInt32LE(FORMAT_AT);
    if (format !== FORMAT && format !== FORMER_FORMAT) throw otherFormat(first);
    this.#size = record.readUInt32LE(EVENTS_AT);
    this.#body = PARTS_AT + PART * record.readUInt32LE(COUNT_AT);
    this.#check(BODY_CHECKSUM_AT, this.#body, 0);
    if (record.readDoubleLE(POSITION_AT) !== first) throw damagedRecord(first, "belongs to another position");
  }

  /** The position after the last event. */
  get next(): number {
    return this.first + this.#size;
  }

  /** @throws DamagedStore the record is damaged, or has fewer events. */
  event(index: number): RecordedEvent {
    if (index >= this.#size) throw damagedRecord(this.first, "is shorter than the index of its stream says");
    const stored = this.#part<StoredEvent>(index);
    return recordedEvent(stored, this.#part<StoredOrigin>(this.#size + stored[ORIGIN]), this.first + index);
  }

  /** Checks the whole body. @throws DamagedStore */
  verify(): void {
    this.#check(this.#body, this.#record.length, BODY_CHECKSUM_AT);
  }

  /** @throws DamagedStore */
  events(): RecordedEvent[] {
    this.verify();
    const parts = this.#parse<(StoredEvent | StoredOrigin)[]>(this.#body, this.#record.length);
    const origins = parts.splice(this.#size) as StoredOrigin[];
    return (parts as StoredEvent[]).map((stored, index) =>
      recordedEvent(stored, origins[stored[ORIGIN]] as StoredOrigin, this.first + index),
    );
  }

  /** The size of an event in the record. */
  bytesOf(index: number): number {
    const [start, end] = this.#placeOf(index);
    return end - start;
  }

  #placeOf(index: number): readonly [start: number, end: number] {
    const at = PARTS_AT + PART * index;
    const start = this.#body + (index === 0 ? 0 : this.#record.readUInt32LE(at - PART)) + 1;
    return [start, this.#body + this.#record.readUInt32LE(at)];
  }

  #part<Part>(index: number): Part {
    const [start, end] = this.#placeOf(index);
    this.#check(start, end, PARTS_AT + PART * index + PART_CHECKSUM);
    return this.#parse(start, end);
  }

  #parse<Value>(start: number, end: number): Value {
    return JSON.parse(this.#record.toString("utf8", start, end));
  }

  /** @param checksumAt place of the CRC-32 of these bytes. @throws DamagedStore */
  #check(start: number, end: number, checksumAt: number): void {
    const bytes = this.#record.subarray(start, end);
    if (bytes.length !== end - start || crc32(bytes) !== this.#record.readUInt32LE(checksumAt))
      throw damagedRecord(this.first, NOT_AS_WRITTEN);
  }
}

const NOT_AS_WRITTEN = "is not what was written";

function storedId(id: string, commandId: string): string | number {
  const own = id.slice(-OWN_DIGITS);
  const isDerived =
    HEX_DIGITS.test(own) && commandId.length === id.length && commandId.startsWith(id.slice(0, -OWN_DIGITS));
  return isDerived ? Number.parseInt(own, 16) : id;
}

function recordedEvent(stored: StoredEvent, origin: StoredOrigin, position: number): RecordedEvent {
  const [stream, revision, id, type, version, at, data, commandId, causationId, , sealed] = stored;
  const [accountId, kind, actorId, requestId] = origin;
  return {
    stream,
    revision,
    position: BigInt(position),
    id: typeof id === "string" ? id : commandId.slice(0, -OWN_DIGITS) + id.toString(16).padStart(OWN_DIGITS, "0"),
    type,
    version,
    at,
    data,
    ...(sealed !== undefined && { sealed }),
    metadata: { accountId, actor: { kind, id: actorId }, requestId, commandId, causationId },
  };
}

function damagedRecord(first: number, what: string): DamagedStore {
  return new DamagedStore("event log", `the record at position ${first} ${what}`);
}

function otherFormat(first: number): StorageError {
  return new StorageError(
    `the event log was written by another release (the record at position ${first} has another format): start the release that wrote it, or restore a backup of this one`,
  );
}
