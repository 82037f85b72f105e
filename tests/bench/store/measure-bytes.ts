import { open } from "lmdb";
import { serveTasks } from "../children/serve-tasks.ts";

/** An LMDB environment. Another process may have it open. */
export interface BytesTask {
  readonly folder: string;
}

/** Of one database: keys and values as they are stored, and the pages that are used for them. */
export interface Bytes {
  readonly payload: number;
  readonly pages: number;
}

interface TreeStatistics {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

const MAX_DATABASES = 32;

/** Bytes by the name of the database. */
serveTasks(async ({ folder }: BytesTask): Promise<Readonly<Record<string, Bytes>>> => {
  const root = open<Buffer, string>({ path: folder, noSubdir: false, readOnly: true, maxDbs: MAX_DATABASES });
  const found: Record<string, Bytes> = {};
  for (const name of [...root.getKeys()].map(String)) {
    const database = root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });
    let payload = 0;
    for (const { key, value } of database.getRange()) payload += key.length + value.length;
    const statistics = database.getStats() as TreeStatistics;
    const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = statistics;
    found[name] = { payload, pages: (treeBranchPageCount + treeLeafPageCount + overflowPages) * pageSize };
  }
  await root.close();
  return found;
});
