import { crc32 } from "node:zlib";
import { DamagedStore, verifyChecksum, withChecksum } from "../../lmdb/index.ts";
import type { Document, IndexEntry } from "../index.ts";

/**
 * The format of a stored document. Its body and what guards a write are read without parsing:
 *
 * | bytes | |
 * |---|---|
 * | 0–3 | CRC-32 of the rest |
 * | 4 | 1 if the state is a separate record, with a CRC-32 of its own |
 * | 5–12 | position |
 * | 13–20 | created |
 * | 21–28 | staleAt, NaN for never |
 * | 29–32 | length of the body, `NO_BODY` for none |
 * | 33–36 | length of the indexes |
 * | 37– | body, indexes, state: JSON in UTF-8 |
 */
const CHECKSUM = 0;
const STATE_SEPARATE = 4;
const POSITION = 5;
const CREATED = 13;
const STALE_AT = 21;
const BODY_LENGTH = 29;
const INDEXES_LENGTH = 33;
const HEADER = 37;
const NO_BODY = 0xffffffff;

/** A longer state would slow down every read of the body. */
const MAX_INLINE_STATE = 2_048;
/** Maximum length of a UTF-16 code unit in UTF-8. */
const BYTES_PER_UNIT = 3;

export type Indexes = Readonly<Record<string, IndexEntry>>;

/** Reads a stored record. The bytes may be overwritten later. */
export class StoredRecord {
  readonly #bytes: Buffer;
  readonly #length: number;

  /** @throws DamagedStore */
  constructor(bytes: Buffer, length: number) {
    this.#bytes = bytes;
    this.#length = length;
    const isIntact = length >= HEADER && crc32(bytes.subarray(STATE_SEPARATE, length)) === bytes.readUInt32BE(CHECKSUM);
    if (!isIntact) throw damaged("a document");
  }

  get position(): bigint {
    return this.#bytes.readBigUInt64BE(POSITION);
  }

  get created(): bigint {
    return this.#bytes.readBigUInt64BE(CREATED);
  }

  get staleAt(): number | null {
    const staleAt = this.#bytes.readDoubleBE(STALE_AT);
    return Number.isNaN(staleAt) ? null : staleAt;
  }

  get hasSeparateState(): boolean {
    return this.#bytes[STATE_SEPARATE] === 1;
  }

  /** A copy; undefined if there is none. */
  body(): Uint8Array | undefined {
    if (this.#bodyLength === undefined) return undefined;
    return Buffer.from(this.#bytes.subarray(HEADER, this.#indexesStart));
  }

  hasSameIndexes(encoded: Uint8Array): boolean {
    return this.#bytes.compare(encoded, 0, encoded.length, this.#indexesStart, this.#stateStart) === 0;
  }

  indexes(): Indexes {
    return JSON.parse(this.#bytes.toString("utf8", this.#indexesStart, this.#stateStart)) as Indexes;
  }

  document(key: string, separateState: () => Buffer | undefined): Document {
    const { position, created, staleAt } = this;
    const body = this.#bodyLength === undefined ? null : this.#bytes.toString("utf8", HEADER, this.#indexesStart);
    const indexes = this.indexes();
    const state = this.hasSeparateState
      ? verifiedState(separateState())
      : this.#bytes.toString("utf8", this.#stateStart, this.#length);
    return { key, position, created, body, staleAt, indexes, state: JSON.parse(state) };
  }

  get #bodyLength(): number | undefined {
    const length = this.#bytes.readUInt32BE(BODY_LENGTH);
    return length === NO_BODY ? undefined : length;
  }

  get #indexesStart(): number {
    return HEADER + (this.#bodyLength ?? 0);
  }

  get #stateStart(): number {
    return this.#indexesStart + this.#bytes.readUInt32BE(INDEXES_LENGTH);
  }
}

function verifiedState(stored: Buffer | undefined): string {
  const state = stored && verifyChecksum(stored);
  if (state === undefined) throw damaged("the state of a document");
  return state.toString();
}

function damaged(what: string): DamagedStore {
  return new DamagedStore("read models", `${what} is not what was written, and can be built anew from the log`);
}

export interface EncodedRecord {
  readonly record: Buffer;
  readonly indexes: Buffer;
  /** Undefined if the record has the state. */
  readonly separateState: Buffer | undefined;
}

/** Encodes documents; a result is overwritten by the next. */
export class RecordEncoder {
  #scratch = Buffer.allocUnsafeSlow(64 * 1024);

  /** @param stored the index entries to store with it. */
  encode(document: Document, stored: Indexes = document.indexes): EncodedRecord {
    const body = document.body ?? "";
    const indexes = JSON.stringify(stored);
    const state = JSON.stringify(document.state);
    this.#reserve(HEADER + (body.length + indexes.length + state.length) * BYTES_PER_UNIT);
    const scratch = this.#scratch;
    const indexesStart = HEADER + scratch.write(body, HEADER, "utf8");
    const stateStart = indexesStart + scratch.write(indexes, indexesStart, "utf8");
    const end = stateStart + scratch.write(state, stateStart, "utf8");
    const isSeparate = end - stateStart > MAX_INLINE_STATE;
    scratch[STATE_SEPARATE] = isSeparate ? 1 : 0;
    scratch.writeBigUInt64BE(document.position, POSITION);
    scratch.writeBigUInt64BE(document.created, CREATED);
    scratch.writeDoubleBE(document.staleAt ?? Number.NaN, STALE_AT);
    scratch.writeUInt32BE(document.body === null ? NO_BODY : indexesStart - HEADER, BODY_LENGTH);
    scratch.writeUInt32BE(stateStart - indexesStart, INDEXES_LENGTH);
    const record = scratch.subarray(0, isSeparate ? stateStart : end);
    record.writeUInt32BE(crc32(record.subarray(STATE_SEPARATE)), CHECKSUM);
    return {
      record,
      indexes: scratch.subarray(indexesStart, stateStart),
      separateState: isSeparate ? withChecksum(scratch.subarray(stateStart, end)) : undefined,
    };
  }

  #reserve(bytes: number): void {
    if (bytes > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(bytes * 2);
  }
}
