import { crc32 } from "node:zlib";
import { DamagedStore } from "../../lmdb/index.ts";
import type { Document, IndexEntry } from "../index.ts";

/**
 * The format of a stored document:
 *
 * | bytes | |
 * |---|---|
 * | 0–3 | CRC-32 of what follows |
 * | 4–11 | position |
 * | 12–19 | created |
 * | 20–27 | staleAt; NaN: null |
 * | 28–31 | length of the body; 0: null |
 * | | body |
 * | | JSON of state and index entries; empty if there is neither |
 */
const POSITION = 4;
const CREATED = 12;
const STALE_AT = 20;
const BODY_LENGTH = 28;
const BODY = 32;

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
    // LMDB's buffer is longer than the record. Only its `length` property shows where the record ends.
    this.#end = bytes.length;
    this.#bytes = bytes;
    if (this.#end < BODY || crc32(bytes.subarray(POSITION, this.#end)) !== bytes.readUInt32BE(0)) throw damaged();
    this.#bodyEnd = BODY + bytes.readUInt32BE(BODY_LENGTH);
  }

  get staleAt(): number | null {
    const staleAt = this.#bytes.readDoubleBE(STALE_AT);
    return Number.isNaN(staleAt) ? null : staleAt;
  }

  /** Null if there is none. */
  body(): string | null {
    return this.#bodyEnd === BODY ? null : this.#bytes.toString("utf8", BODY, this.#bodyEnd);
  }

  /** State, and the index entries that are stored with it. */
  rest(): readonly [state: unknown, indexes?: Indexes] {
    return this.#end === this.#bodyEnd ? [null] : JSON.parse(this.#bytes.toString("utf8", this.#bodyEnd, this.#end));
  }

  document(key: string): Document {
    const [state, indexes = NO_INDEXES] = this.rest();
    const position = this.#bytes.readBigUInt64BE(POSITION);
    const created = this.#bytes.readBigUInt64BE(CREATED);
    return { key, position, created, body: this.body(), staleAt: this.staleAt, indexes, state, size: this.#end };
  }
}

/** Reused for every record, so that none leaves a buffer behind. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Encodes a document into a buffer that the next call overwrites. @param indexes the entries to store with it */
export function encodeRecord({ body, state, position, created, staleAt }: Document, indexes?: Indexes): Buffer {
  const parts = indexes === undefined ? [state] : [state, indexes];
  const rest = parts.length === 1 && state === null ? "" : JSON.stringify(parts);
  const longest = BODY + ((body?.length ?? 0) + rest.length) * BYTES_PER_UNIT;
  if (longest > scratch.length) scratch = Buffer.allocUnsafeSlow(longest * 2);
  const bodyEnd = BODY + scratch.write(body ?? "", BODY);
  const end = bodyEnd + scratch.write(rest, bodyEnd);
  scratch.writeBigUInt64BE(position, POSITION);
  scratch.writeBigUInt64BE(created, CREATED);
  scratch.writeDoubleBE(staleAt ?? Number.NaN, STALE_AT);
  scratch.writeUInt32BE(bodyEnd - BODY, BODY_LENGTH);
  scratch.writeUInt32BE(crc32(scratch.subarray(POSITION, end)), 0);
  return scratch.subarray(0, end);
}

function damaged(): DamagedStore {
  return new DamagedStore("read models", "a document is not what was written, and can be built anew from the log");
}
