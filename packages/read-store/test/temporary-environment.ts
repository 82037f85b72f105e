import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { open, type RootDatabase } from "lmdb";
import { READ_STORE_DATABASES } from "../src/index.ts";

export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "read-store-"));
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
