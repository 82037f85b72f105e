import { crc32 } from "node:zlib";
import { DamagedStore } from "../../lmdb/index.ts";
import type { Document, IndexEntry } from "../index.ts";

/**
 * The format of a stored document. The body is read, and verified, without the rest:
 *
 * | bytes | |
 * |---|---|
 * | 0–3 | CRC-32 of what follows, up to the end of the body |
 * | 4–11 | position |
 * | 12–19 | created |
 * | 20–27 | staleAt; NaN: null |
 * | 28–31 | length of the body; 0: null |
 * | | body |
 * | 4 | CRC-32 of the rest; both are left out if there is no state and no index entry |
 * | | JSON of state and index entries |
 */
const POSITION = 4;
const CREATED = 12;
const STALE_AT = 20;
const BODY_LENGTH = 28;
const BODY = 32;
const CHECKSUM = 4;

/** Maximum length of a UTF-16 code unit in UTF-8. */
const BYTES_PER_UNIT = 3;

export type Indexes = Readonly<Record<string, IndexEntry>>;
export const NO_INDEXES: Indexes = {};

/** A stored record. Its bytes are overwritten by the next read from the database. */
export class StoredRecord {
  readonly #bytes: Buffer;
  readonly #bodyEnd: number;
  readonly #end: number;

  /** @throws DamagedStore */
  constructor(bytes: Buffer) {
    // LMDB's buffer is longer: only this property tells where the record ends.
    const { length } = bytes;
    this.#bytes = bytes;
    this.#bodyEnd = BODY + (length < BODY ? 0 : bytes.readUInt32BE(BODY_LENGTH));
    this.#end = length;
    if (length < this.#bodyEnd) throw damaged();
    if (crc32(bytes.subarray(POSITION, this.#bodyEnd)) !== bytes.readUInt32BE(0)) throw damaged();
  }

  get staleAt(): number | null {
    const staleAt = this.#bytes.readDoubleBE(STALE_AT);
    return Number.isNaN(staleAt) ? null : staleAt;
  }

  /** Null if there is none. */
  body(): string | null {
    return this.#bodyEnd === BODY ? null : this.#bytes.toString("utf8", BODY, this.#bodyEnd);
  }

  /** State, and the index entries that are stored with it. @throws DamagedStore */
  rest(): readonly [state: unknown, indexes?: Indexes] {
    if (this.#end === this.#bodyEnd) return [null];
    const rest = this.#bytes.subarray(this.#bodyEnd + CHECKSUM, this.#end);
    if (crc32(rest) !== this.#bytes.readUInt32BE(this.#bodyEnd)) throw damaged();
    return JSON.parse(rest.toString());
  }

  /** @throws DamagedStore */
  document(key: string): Document {
    const [state, indexes = NO_INDEXES] = this.rest();
    const position = this.#bytes.readBigUInt64BE(POSITION);
    const created = this.#bytes.readBigUInt64BE(CREATED);
    return { key, position, created, body: this.body(), staleAt: this.staleAt, indexes, state };
  }
}

/** Written again and again, so that no record leaves a buffer behind. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** A stored document; overwritten by the next. @param indexes those to store with it */
export function encodeRecord({ body, state, position, created, staleAt }: Document, indexes?: Indexes): Buffer {
  const parts = indexes === undefined ? [state] : [state, indexes];
  const rest = parts.length === 1 && state === null ? "" : JSON.stringify(parts);
  const longest = BODY + CHECKSUM + ((body?.length ?? 0) + rest.length) * BYTES_PER_UNIT;
  if (longest > scratch.length) scratch = Buffer.allocUnsafeSlow(longest * 2);
  const bodyEnd = BODY + scratch.write(body ?? "", BODY);
  scratch.writeBigUInt64BE(position, POSITION);
  scratch.writeBigUInt64BE(created, CREATED);
  scratch.writeDoubleBE(staleAt ?? Number.NaN, STALE_AT);
  scratch.writeUInt32BE(bodyEnd - BODY, BODY_LENGTH);
  scratch.writeUInt32BE(crc32(scratch.subarray(POSITION, bodyEnd)), 0);
  if (rest === "") return scratch.subarray(0, bodyEnd);
  const end = bodyEnd + CHECKSUM + scratch.write(rest, bodyEnd + CHECKSUM);
  scratch.writeUInt32BE(crc32(scratch.subarray(bodyEnd + CHECKSUM, end)), bodyEnd);
  return scratch.subarray(0, end);
}

function damaged(): DamagedStore {
  return new DamagedStore("read models", "a document is not what was written, and can be built anew from the log");
}
