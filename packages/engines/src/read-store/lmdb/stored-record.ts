import { crc32 } from "node:zlib";
import { DamagedStore } from "../../lmdb/index.ts";
import type { Document, IndexEntry } from "../index.ts";

/**
 * The format of a stored document. The body is read, and verified, without the rest:
 *
 * | bytes | |
 * |---|---|
 * | 0–3 | CRC-32 of what follows, up to the end of the body |
 * | 4 | which of the following fields there are |
 * | 5–12 | position |
 * | 8 | created, if it is not the position |
 * | 8 | staleAt, if it is not null |
 * | 12 | if there is a tail: its CRC-32, the length of the body, the length of the indexes |
 * | | body, then the tail, indexes and state: JSON in UTF-8 |
 */
const CHECKED_FROM = 4;
const FIELDS = 4;
const POSITION = 5;
const HEADER = 13;
const LONGEST_HEADER = HEADER + 8 + 8 + 12;

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
  /** Of created, if it is there. */
  readonly #header: number;
  readonly #tail: number;
  readonly #bodyStart: number;
  readonly #bodyEnd: number;

  /** @throws DamagedStore */
  constructor(bytes: Buffer, length: number) {
    this.#bytes = bytes;
    this.#length = length;
    if (length < HEADER) throw damaged();
    this.#fields = bytes.readUInt8(FIELDS);
    this.#header = HEADER + (this.#has(HAS_CREATED) ? 8 : 0);
    this.#tail = this.#header + (this.#has(HAS_STALE_AT) ? 8 : 0);
    this.#bodyStart = this.#tail + (this.#has(HAS_TAIL) ? 12 : 0);
    if (this.#bodyStart > length) throw damaged();
    this.#bodyEnd = this.#has(HAS_TAIL) ? this.#bodyStart + bytes.readUInt32BE(this.#tail + 4) : length;
    if (this.#bodyEnd > length || crc32(bytes.subarray(CHECKED_FROM, this.#bodyEnd)) !== bytes.readUInt32BE(0)) {
      throw damaged();
    }
  }

  get position(): bigint {
    return this.#bytes.readBigUInt64BE(POSITION);
  }

  get staleAt(): number | null {
    return this.#has(HAS_STALE_AT) ? this.#bytes.readDoubleBE(this.#header) : null;
  }

  /** Null if there is none. */
  body(): string | null {
    return this.#has(HAS_BODY) ? this.#bytes.toString("utf8", this.#bodyStart, this.#bodyEnd) : null;
  }

  /** Those stored with it. @throws DamagedStore */
  indexes(): Indexes {
    const end = this.#indexesEnd();
    return end === this.#bodyEnd ? NO_INDEXES : JSON.parse(this.#bytes.toString("utf8", this.#bodyEnd, end));
  }

  /** @throws DamagedStore */
  document(key: string): Document {
    const indexes = this.indexes();
    const state = this.#bytes.toString("utf8", this.#indexesEnd(), this.#length);
    return {
      key,
      position: this.position,
      created: this.#has(HAS_CREATED) ? this.#bytes.readBigUInt64BE(HEADER) : this.position,
      body: this.body(),
      staleAt: this.staleAt,
      indexes,
      state: state === "" ? null : JSON.parse(state),
    };
  }

  #has(field: number): boolean {
    return (this.#fields & field) !== 0;
  }

  /** @throws DamagedStore */
  #indexesEnd(): number {
    if (!this.#has(HAS_TAIL)) return this.#bodyEnd;
    const tail = this.#bytes.subarray(this.#bodyEnd, this.#length);
    if (crc32(tail) !== this.#bytes.readUInt32BE(this.#tail)) throw damaged();
    return this.#bodyEnd + this.#bytes.readUInt32BE(this.#tail + 8);
  }
}

/** Encodes documents; a result is overwritten by the next. */
export class RecordEncoder {
  #scratch = Buffer.allocUnsafeSlow(64 * 1024);

  /** @param indexes those to store with it. */
  encode({ body, state, position, created, staleAt }: Document, indexes: Indexes): Buffer {
    const indexText = indexes === NO_INDEXES ? "" : textOf(indexes);
    const stateText = state === null ? "" : JSON.stringify(state);
    const units = (body?.length ?? 0) + indexText.length + stateText.length;
    const scratch = this.#reserve(LONGEST_HEADER + units * BYTES_PER_UNIT);
    let fields = body === null ? 0 : HAS_BODY;
    scratch.writeBigUInt64BE(position, POSITION);
    let at = HEADER;
    if (created !== position) {
      fields |= HAS_CREATED;
      at = scratch.writeBigUInt64BE(created, at);
    }
    if (staleAt !== null) {
      fields |= HAS_STALE_AT;
      at = scratch.writeDoubleBE(staleAt, at);
    }
    const tail = at;
    if (indexText !== "" || stateText !== "") {
      fields |= HAS_TAIL;
      at += 12;
    }
    const bodyStart = at;
    if (body !== null) at += scratch.write(body, at);
    const bodyEnd = at;
    if ((fields & HAS_TAIL) !== 0) {
      if (indexText !== "") at += scratch.write(indexText, at);
      const indexesEnd = at;
      if (stateText !== "") at += scratch.write(stateText, at);
      scratch.writeUInt32BE(crc32(scratch.subarray(bodyEnd, at)), tail);
      scratch.writeUInt32BE(bodyEnd - bodyStart, tail + 4);
      scratch.writeUInt32BE(indexesEnd - bodyEnd, tail + 8);
    }
    scratch[FIELDS] = fields;
    scratch.writeUInt32BE(crc32(scratch.subarray(CHECKED_FROM, bodyEnd)), 0);
    return scratch.subarray(0, at);
  }

  #reserve(bytes: number): Buffer {
    if (bytes > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(bytes * 2);
    return this.#scratch;
  }
}

function textOf(indexes: Indexes): string {
  for (const _ in indexes) return JSON.stringify(indexes);
  return "";
}

function damaged(): DamagedStore {
  return new DamagedStore("read models", "a document is not what was written, and can be built anew from the log");
}
