import type { Database } from "lmdb";
import { DamagedStore } from "../../lmdb/index.ts";
import type { Document } from "../index.ts";
import type { ModelKeys } from "./keys.ts";
import type { Rows } from "./rows.ts";

/** A stored document, its body verified. To be used up before anything else is read. */
export interface ReadRecord {
  readonly staleAt: number | null;
  /** Null if there is none. */
  body(): string | null;
  /** @throws DamagedStore */
  document(key: string): Document;
}

/** Where one model of one generation is read from. */
export interface Source {
  readonly documents: Database<Buffer, Buffer>;
  readonly rows: Rows;
  readonly keys: ModelKeys;
  /** @throws DamagedStore */
  read(bytes: Buffer, length: number, key: Buffer): ReadRecord;
}

export function damaged(): DamagedStore {
  return new DamagedStore("read models", "a document is not what was written, and can be built anew from the log");
}
