import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openLmdbReadStore, READ_STORE_DATABASES, type ReadStore } from "@travel-booking/read-store";
import { open, type RootDatabase } from "lmdb";

export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "projector-"));
}

export function openRoot(folder: string, readOnly = false): RootDatabase<unknown, string> {
  return open<unknown, string>({
    path: folder,
    noSubdir: false,
    overlappingSync: false,
    encoding: "binary",
    maxDbs: READ_STORE_DATABASES,
    readOnly,
  });
}

export interface TemporaryReadStore {
  readonly store: ReadStore;
  close(): Promise<void>;
}

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
