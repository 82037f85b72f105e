import { crc32 } from "node:zlib";
import { DamagedStore } from "../../lmdb/index.ts";
import type { Document, IndexEntry } from "../index.ts";

/**
 * The format of a stored document. The body is read, and verified, without the rest:
 *
 * | bytes | |
 * |---|---|
 * | 0–3 | CRC-32 of what follows, up to the end of the body |
 * | 4 | which of the following there are |
 * | 5–12 | position |
 * | 8 | created, if it is not the position |
 * | 8 | staleAt, if it is not null |
 * | 8 | if there is a tail: its CRC-32, its length |
 * | | body, then the tail: JSON of state and index entries, both in UTF-8 |
 */
const FIELDS = 4;
const POSITION = 5;
const CREATED = 13;
const LONGEST_HEADER = CREATED + 8 + 8 + 8;

const HAS_BODY = 1;
const HAS_CREATED = 2;
const HAS_STALE_AT = 4;
const HAS_TAIL = 8;

/** Maximum length of a UTF-16 code unit in UTF-8. */
const BYTES_PER_UNIT = 3;

export type Indexes = Readonly<Record<string, IndexEntry>>;
export const NO_INDEXES: Indexes = {};

/** A stored record. Its bytes are overwritten by the next read from the database. */
export class StoredRecord {
  readonly #bytes: Buffer;
  readonly #length: number;
  readonly #fields: number;
  // Where each part begins.
  readonly #staleAt: number;
  readonly #tail: number;
  readonly #body: number;
  readonly #bodyEnd: number;

  /** @throws DamagedStore */
  constructor(bytes: Buffer, length: number) {
    this.#bytes = bytes;
    this.#length = length;
    this.#fields = length < CREATED ? 0 : bytes.readUInt8(FIELDS);
    this.#staleAt = CREATED + (this.#has(HAS_CREATED) ? 8 : 0);
    this.#tail = this.#staleAt + (this.#has(HAS_STALE_AT) ? 8 : 0);
    this.#body = this.#tail + (this.#has(HAS_TAIL) ? 8 : 0);
    if (this.#body > length) throw damaged();
    this.#bodyEnd = length - (this.#has(HAS_TAIL) ? bytes.readUInt32BE(this.#tail + 4) : 0);
    if (this.#bodyEnd < this.#body) throw damaged();
    if (crc32(bytes.subarray(FIELDS, this.#bodyEnd)) !== bytes.readUInt32BE(0)) throw damaged();
  }

  get position(): bigint {
    return this.#bytes.readBigUInt64BE(POSITION);
  }

  get staleAt(): number | null {
    return this.#has(HAS_STALE_AT) ? this.#bytes.readDoubleBE(this.#staleAt) : null;
  }

  /** Null if there is none. */
  body(): string | null {
    return this.#has(HAS_BODY) ? this.#bytes.toString("utf8", this.#body, this.#bodyEnd) : null;
  }

  /** State, and the index entries that are stored with it. @throws DamagedStore */
  rest(): readonly [state: unknown, indexes?: Indexes] {
    if (!this.#has(HAS_TAIL)) return [null];
    const tail = this.#bytes.subarray(this.#bodyEnd, this.#length);
    if (crc32(tail) !== this.#bytes.readUInt32BE(this.#tail)) throw damaged();
    return JSON.parse(tail.toString());
  }

  /** @throws DamagedStore */
  document(key: string): Document {
    const { position, staleAt } = this;
    const [state, indexes = NO_INDEXES] = this.rest();
    const created = this.#has(HAS_CREATED) ? this.#bytes.readBigUInt64BE(CREATED) : position;
    return { key, position, created, body: this.body(), staleAt, indexes, state };
  }

  #has(field: number): boolean {
    return (this.#fields & field) !== 0;
  }
}

/** Written again and again, so that no record leaves a buffer behind. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** A stored document; overwritten by the next. @param indexes those to store with it */
export function encodeRecord({ body, state, position, created, staleAt }: Document, indexes?: Indexes): Buffer {
  const rest = indexes === undefined ? [state] : [state, indexes];
  const tail = rest.length === 1 && state === null ? "" : JSON.stringify(rest);
  const longest = LONGEST_HEADER + ((body?.length ?? 0) + tail.length) * BYTES_PER_UNIT;
  if (longest > scratch.length) scratch = Buffer.allocUnsafeSlow(longest * 2);
  let fields = 0;
  let at = scratch.writeBigUInt64BE(position, POSITION);
  if (created !== position) {
    fields |= HAS_CREATED;
    at = scratch.writeBigUInt64BE(created, at);
  }
  if (staleAt !== null) {
    fields |= HAS_STALE_AT;
    at = scratch.writeDoubleBE(staleAt, at);
  }
  const tailHeader = at;
  if (tail !== "") {
    fields |= HAS_TAIL;
    at += 8;
  }
  if (body !== null) {
    fields |= HAS_BODY;
    at += scratch.write(body, at);
  }
  const bodyEnd = at;
  if (tail !== "") {
    at += scratch.write(tail, at);
    scratch.writeUInt32BE(crc32(scratch.subarray(bodyEnd, at)), tailHeader);
    scratch.writeUInt32BE(at - bodyEnd, tailHeader + 4);
  }
  scratch[FIELDS] = fields;
  scratch.writeUInt32BE(crc32(scratch.subarray(FIELDS, bodyEnd)), 0);
  return scratch.subarray(0, at);
}

function damaged(): DamagedStore {
  return new DamagedStore("read models", "a document is not what was written, and can be built anew from the log");
}
