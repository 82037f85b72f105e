import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { open, type RootDatabase } from "lmdb";
import type { ReadStore } from "../src/read-store/index.ts";
import { LMDB_READ_STORE_DATABASES, openLmdbReadStore } from "../src/read-store/lmdb/lmdb-read-store.ts";

/** A new folder, its owner's to remove. */
export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "read-store-"));
}

/** The environment of an embedded read store, and nothing else in it. */
export function openRoot(folder: string, readOnly = false): RootDatabase<unknown, string> {
  return open<unknown, string>({
    path: folder,
    noSubdir: false,
    overlappingSync: false,
    encoding: "binary",
    maxDbs: LMDB_READ_STORE_DATABASES,
    readOnly,
  });
}

export interface TemporaryReadStore {
  readonly store: ReadStore;
  /** Its data is gone then. */
  close(): Promise<void>;
}

/** An embedded read store in a folder of its own. */
export function temporaryReadStore(): TemporaryReadStore {
  const folder = temporaryFolder();
  const root = openRoot(folder);
  return {
    store: openLmdbReadStore(root),
    async close() {
      await root.close();
      fs.rmSync(folder, { recursive: true });
    },
  };
}
