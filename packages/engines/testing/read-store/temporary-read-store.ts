import fs from "node:fs";
import type { ReadStore } from "../../src/read-store/index.ts";
import { openLmdbReadStore } from "../../src/read-store/lmdb/lmdb-read-store.ts";
import { openRoot, temporaryFolder } from "./temporary-environment.ts";

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
