import { readdirSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { NO_EMBEDDED_STORES } from "@travel-booking/command-service";
import { backup, type Environment, StorageError } from "@travel-booking/engines/lmdb";
import { OperatorError, type OperatorRoute } from "@travel-booking/http/operator";
import { dataFolders } from "../engines/local-storage.ts";
import { backupFiles } from "./backup-files.ts";

/** The embedded stores; undefined where it is a server. */
export interface EmbeddedStores {
  readonly log: Environment | undefined;
  readonly read: Environment | undefined;
}

/**
 * `backup`. The read models are copied before the log: a copy of them may be behind the copy of the log, and catches
 * up when it is started, but never ahead of it. Files come last: a document of the log has its file by then.
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
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new OperatorError(409, `${path} is not a folder`);
  if (readdirSync(path).length > 0) throw new OperatorError(409, `${path} is not empty`);
}
