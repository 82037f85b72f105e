import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { serveTasks } from "../children/serve-tasks.ts";

/** An LMDB environment. Another process may have it open. */
export interface BytesTask {
  readonly folder: string;
}

/** Keys and values as they are stored, and the pages that are used for them. */
export interface Bytes {
  readonly payload: number;
  readonly pages: number;
}

export interface EnvironmentBytes {
  /** By name. */
  readonly databases: Readonly<Record<string, Bytes>>;
  /** Of all pages in use. Those of lists with several values of a key are in no database's figures. */
  readonly used: number;
}

interface TreeStatistics {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

const MAX_DATABASES = 256;

serveTasks(async ({ folder }: BytesTask): Promise<EnvironmentBytes> => {
  const root = open<Buffer, string>({ path: folder, noSubdir: false, readOnly: true, maxDbs: MAX_DATABASES });
  const databases: Record<string, Bytes> = {};
  for (const name of [...root.getKeys()].map(String)) {
    const database = root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });
    let payload = 0;
    let last: Buffer | undefined;
    for (const { key, value } of database.getRange()) {
      // Several values of a key are stored with it once.
      if (last === undefined || !key.equals(last)) payload += key.length;
      payload += value.length;
      last = key;
    }
    const statistics = database.getStats() as TreeStatistics;
    const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = statistics;
    databases[name] = { payload, pages: (treeBranchPageCount + treeLeafPageCount + overflowPages) * pageSize };
  }
  const copy = mkdtempSync(join(tmpdir(), "bench-bytes-"));
  // A compacted copy has no free pages.
  await root.backup(copy, true);
  const used = statSync(join(copy, "data.mdb")).size;
  rmSync(copy, { recursive: true });
  await root.close();
  return { databases, used };
});
