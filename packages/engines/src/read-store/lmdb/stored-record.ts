import { crc32 } from "node:zlib";
import type { Document, IndexEntry } from "../index.ts";
import { damaged, type ReadRecord } from "./source.ts";

/**
 * The format of a stored document. The body is read, and verified, without the rest:
 *
 * | bytes | |
 * |---|---|
 * | 0–3 | CRC-32 of what follows, up to the end of the body |
 * | 4–7 | CRC-32 of what follows the body |
 * | 8–15 | position |
 * | 16–23 | created |
 * | 24–31 | staleAt, NaN for never |
 * | 32–35 | length of the body, `NO_BODY` for none |
 * | 36–39 | length of the indexes |
 * | 40– | body, indexes, state: JSON in UTF-8; no bytes for no indexes, or for a state that is null |
 */
const HEAD_CHECKSUM = 0;
const TAIL_CHECKSUM = 4;
const POSITION = 8;
const CREATED = 16;
const STALE_AT = 24;
const BODY_LENGTH = 32;
const INDEXES_LENGTH = 36;
const HEADER = 40;
const NO_BODY = 0xffffffff;

/** Maximum length of a UTF-16 code unit in UTF-8. */
const BYTES_PER_UNIT = 3;

export type Indexes = Readonly<Record<string, IndexEntry>>;
export const NO_INDEXES: Indexes = {};

/** Reads a stored record. Its bytes are overwritten by the next read from the database. */
export class StoredRecord implements ReadRecord {
  readonly #bytes: Buffer;
  readonly #length: number;
  readonly #bodyEnd: number;

  /** @throws DamagedStore */
  constructor(bytes: Buffer, length: number) {
    this.#bytes = bytes;
    this.#length = length;
    if (length < HEADER) throw damaged();
    const bodyLength = bytes.readUInt32BE(BODY_LENGTH);
    this.#bodyEnd = HEADER + (bodyLength === NO_BODY ? 0 : bodyLength);
    if (this.#bodyEnd > length) throw damaged();
    if (crc32(bytes.subarray(TAIL_CHECKSUM, this.#bodyEnd)) !== bytes.readUInt32BE(HEAD_CHECKSUM)) throw damaged();
  }

  get position(): bigint {
    return this.#bytes.readBigUInt64BE(POSITION);
  }

  get staleAt(): number | null {
    const staleAt = this.#bytes.readDoubleBE(STALE_AT);
    return Number.isNaN(staleAt) ? null : staleAt;
  }

  /** Null if there is none. */
  body(): string | null {
    if (this.#bytes.readUInt32BE(BODY_LENGTH) === NO_BODY) return null;
    return this.#bytes.toString("utf8", HEADER, this.#bodyEnd);
  }

  /** Those stored with it. @throws DamagedStore */
  indexes(): Indexes {
    this.#verifyTail();
    const end = this.#indexesEnd;
    if (end === this.#bodyEnd) return NO_INDEXES;
    return JSON.parse(this.#bytes.toString("utf8", this.#bodyEnd, end)) as Indexes;
  }

  /** @throws DamagedStore */
  document(key: string): Document {
    const indexes = this.indexes();
    const state = this.#bytes.toString("utf8", this.#indexesEnd, this.#length);
    return {
      key,
      position: this.position,
      created: this.#bytes.readBigUInt64BE(CREATED),
      body: this.body(),
      staleAt: this.staleAt,
      indexes,
      state: state === "" ? null : JSON.parse(state),
    };
  }

  get #indexesEnd(): number {
    return this.#bodyEnd + this.#bytes.readUInt32BE(INDEXES_LENGTH);
  }

  #verifyTail(): void {
    const tail = this.#bytes.subarray(this.#bodyEnd, this.#length);
    if (
      tail.length === 0 ? this.#indexesEnd !== this.#bodyEnd : crc32(tail) !== this.#bytes.readUInt32BE(TAIL_CHECKSUM)
    ) {
      throw damaged();
    }
  }
}

/** Encodes documents; a result is overwritten by the next. */
export class RecordEncoder {
  #scratch = Buffer.allocUnsafeSlow(64 * 1024);

  /** @param indexes those to store with it. */
  encode(document: Document, indexes: Indexes): Buffer {
    const body = document.body ?? "";
    const tail = textOf(indexes);
    const state = document.state === null ? "" : JSON.stringify(document.state);
    this.#reserve(HEADER + (body.length + tail.length + state.length) * BYTES_PER_UNIT);
    const scratch = this.#scratch;
    const bodyEnd = HEADER + scratch.write(body, HEADER, "utf8");
    const indexesEnd = tail === "" ? bodyEnd : bodyEnd + scratch.write(tail, bodyEnd, "utf8");
    const end = state === "" ? indexesEnd : indexesEnd + scratch.write(state, indexesEnd, "utf8");
    scratch.writeBigUInt64BE(document.position, POSITION);
    scratch.writeBigUInt64BE(document.created, CREATED);
    scratch.writeDoubleBE(document.staleAt ?? Number.NaN, STALE_AT);
    scratch.writeUInt32BE(document.body === null ? NO_BODY : bodyEnd - HEADER, BODY_LENGTH);
    scratch.writeUInt32BE(indexesEnd - bodyEnd, INDEXES_LENGTH);
    scratch.writeUInt32BE(end === bodyEnd ? 0 : crc32(scratch.subarray(bodyEnd, end)), TAIL_CHECKSUM);
    scratch.writeUInt32BE(crc32(scratch.subarray(TAIL_CHECKSUM, bodyEnd)), HEAD_CHECKSUM);
    return scratch.subarray(0, end);
  }

  #reserve(bytes: number): void {
    if (bytes > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(bytes * 2);
  }
}

function textOf(indexes: Indexes): string {
  for (const _ in indexes) return JSON.stringify(indexes);
  return "";
}
