import { crc32 } from "node:zlib";
import type { Database, RootDatabase } from "lmdb";
import { verifyChecksum } from "../../lmdb/index.ts";
import { ModelKeys } from "./keys.ts";
import { openExisting } from "./open-database.ts";
import { Rows } from "./rows.ts";
import { damaged, type ReadRecord, type Source } from "./source.ts";

interface FormerRecord {
  /** Prefix of its keys, four bytes. */
  readonly id: number;
  /** Decimal. */
  readonly checkpoint: string;
}

interface FormerGeneration {
  readonly generation: number;
  readonly checkpoint: bigint;
}

const NAMES = ["documents", "states", "rows", "generations", "live"] as const;
type Bytes = Database<Buffer, Buffer>;

/**
 * What the release before has written, in its format. Its live generations answer until their projections are built
 * anew; nothing is written to them.
 */
export class FormerFormat {
  readonly #documents: Bytes;
  readonly #states: Bytes;
  readonly #rows: Rows;
  readonly #generations: Database<FormerRecord, [string, number]>;
  /** By projection: id of the live generation, then its number, four bytes each. */
  readonly #live: Database<Buffer, string>;
  readonly #sources = new Map<string, Source>();

  constructor(root: RootDatabase<unknown, string>, documents: Bytes) {
    const required = <Value>(value: Value | undefined): Value => {
      if (value === undefined) throw damaged();
      return value;
    };
    this.#documents = documents;
    this.#states = required(openExisting(root, { name: "states", encoding: "binary", keyEncoding: "binary" }));
    this.#rows = new Rows(root, "rows");
    this.#generations = required(openExisting(root, { name: "generations", encoding: "json" }));
    this.#live = required(openExisting(root, { name: "live", encoding: "binary" }));
  }

  /** Undefined if nothing in this format is left. */
  static open(root: RootDatabase<unknown, string>): FormerFormat | undefined {
    const documents = openExisting<Buffer, Buffer>(root, {
      name: "documents",
      encoding: "binary",
      keyEncoding: "binary",
    });
    return documents && new FormerFormat(root, documents);
  }

  /** For the writing thread, before others read: removes the databases once they are empty. */
  static removeEmpty(root: RootDatabase<unknown, string>): void {
    const live = openExisting(root, { name: "live", encoding: "binary" });
    if (live === undefined || live.getCount() > 0) return;
    for (const name of NAMES) openExisting(root, { name, encoding: "binary" })?.dropSync();
  }

  liveGeneration(projection: string): FormerGeneration | undefined {
    const generation = this.#live.getBinaryFast(projection)?.readUInt32BE(4);
    const known = generation === undefined ? undefined : this.#generations.get([projection, generation]);
    return known && generation !== undefined ? { generation, checkpoint: BigInt(known.checkpoint) } : undefined;
  }

  /** Of its live generation. */
  source(projection: string, model: string): Source | undefined {
    const id = this.#live.getBinaryFast(projection)?.subarray(0, 4);
    if (id === undefined) return undefined;
    const known = this.#sources.get(model);
    if (known !== undefined) return known;
    const source: Source = {
      documents: this.#documents,
      rows: this.#rows,
      keys: new ModelKeys(model, id),
      read: (bytes, length, key) => this.#read(bytes, length, key),
    };
    this.#sources.set(model, source);
    return source;
  }

  /** Inside a transaction. */
  remove(projection: string): void {
    this.#live.removeSync(projection);
    if (this.#live.getCount() > 0) return;
    this.#rows.clear();
    for (const database of [this.#documents, this.#states, this.#generations]) database.clearSync();
  }

  /**
   * Bytes 0–3: CRC-32 of the rest; 4: 1 if the state is a record of its own; 5–12 position; 13–20 created; 21–28 staleAt;
   * 29–32 length of the body, 0xffffffff for none; 33–36 length of the indexes; 37–: body, indexes, state.
   */
  #read(bytes: Buffer, length: number, key: Buffer): ReadRecord {
    if (length < 37 || crc32(bytes.subarray(4, length)) !== bytes.readUInt32BE(0)) throw damaged();
    const bodyLength = bytes.readUInt32BE(29);
    const hasBody = bodyLength !== 0xffffffff;
    const indexesStart = 37 + (hasBody ? bodyLength : 0);
    const stateStart = indexesStart + bytes.readUInt32BE(33);
    const staleAt = bytes.readDoubleBE(21);
    const record = {
      position: bytes.readBigUInt64BE(5),
      created: bytes.readBigUInt64BE(13),
      staleAt: Number.isNaN(staleAt) ? null : staleAt,
      body: hasBody ? bytes.toString("utf8", 37, indexesStart) : null,
    };
    const indexes = bytes.toString("utf8", indexesStart, stateStart);
    const inline = bytes[4] === 1 ? undefined : bytes.toString("utf8", stateStart, length);
    return {
      staleAt: record.staleAt,
      body: () => record.body,
      document: (name) => {
        const state = inline ?? this.#separateState(key);
        return { key: name, ...record, indexes: JSON.parse(indexes), state: JSON.parse(state) };
      },
    };
  }

  #separateState(key: Buffer): string {
    const stored = this.#states.getBinary(key);
    const state = stored && verifyChecksum(stored);
    if (state === undefined) throw damaged();
    return state.toString();
  }
}
