import { constants, readdirSync, statSync } from "node:fs";
import { copyFile, open, readdir, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { NO_EMBEDDED_STORES } from "@travel-booking/command-service";
import { backup, type Environment, StorageError } from "@travel-booking/engines/lmdb";
import { OperatorError, type OperatorRoute } from "@travel-booking/http/operator";
import { makeFolder, syncFolder } from "@travel-booking/runtime/durable-files";
import { dataFolders } from "./local-storage.ts";

/** The embedded stores; undefined where a server replaces one. */
interface EmbeddedStores {
  readonly log: Environment | undefined;
  readonly read: Environment | undefined;
}

/**
 * `backup`. Copies the read models before the log: their copy may be behind the log's copy and catches up at start-up,
 * but must never be ahead. Copies files last, so that each document in the log has its file.
 */
export function backupRoute({ log, read }: EmbeddedStores, dataDir: string): OperatorRoute {
  return {
    method: "POST",
    path: "/operator/backup",
    async handle(request) {
      const path = (request.body as { path?: unknown } | undefined)?.path;
      if (typeof path !== "string" || !isAbsolute(path)) throw new OperatorError(400, "path must be an absolute path");
      if (log === undefined || read === undefined) throw new OperatorError(409, NO_EMBEDDED_STORES);
      assertEmptyFolder(path);
      let files = 0;
      try {
        await backup(read, join(path, "read"));
        const until = Date.now();
        await backup(log, join(path, "log"));
        files = await backupFiles(dataFolders(dataDir).files, join(path, "files"), until);
      } catch (error) {
        if (error instanceof StorageError) throw new OperatorError(409, error.message);
        throw error;
      }
      const bytes = ["read", "log"].reduce((sum, name) => sum + statSync(join(path, name, "data.mdb")).size, files);
      return { status: 200, body: { path, bytes } };
    },
  };
}

function assertEmptyFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new OperatorError(409, `${path} is not a folder`);
  if (readdirSync(path).length > 0) throw new OperatorError(409, `${path} is not empty`);
}

/** The name of an unfinished file has an extension; a finished one has none. */
const UNFINISHED = /\./;

/**
 * Copies the finished files of a folder, except those younger than `until` (milliseconds since the epoch): a younger
 * file belongs to no event in the copy of the log. Files never change. Returns the number of bytes.
 */
async function backupFiles(from: string, to: string, until: number): Promise<number> {
  makeFolder(to);
  let bytes = 0;
  for (const name of await readdir(from)) {
    if (UNFINISHED.test(name)) continue;
    const source = await stat(join(from, name)).catch(() => undefined);
    if (source === undefined || source.mtimeMs > until) continue;
    bytes += (await copyDurably(join(from, name), join(to, name))) ? source.size : 0;
  }
  syncFolder(to);
  return bytes;
}

/** False if the file was removed in the meantime. */
async function copyDurably(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  const file = await open(to, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}
