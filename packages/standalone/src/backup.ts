import { constants, readdirSync, rmSync, statSync } from "node:fs";
import { copyFile, open, readdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { NO_EMBEDDED_STORES } from "@travel-booking/command-service";
import { freeBytes } from "@travel-booking/engines/disk-space";
import { backup, DATA_FILE, StorageError } from "@travel-booking/engines/lmdb";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import type { Settings } from "@travel-booking/runtime";
import { makeFolder, syncFolder } from "@travel-booking/runtime/durable-files";
import { dataFolders, type LocalStorage } from "./local-storage.ts";

const ENVIRONMENTS = ["read", "log", "keys"] as const;

type BackupSettings = Pick<Settings, "dataDir" | "diskReserveMb">;

interface Underway {
  readonly path: string;
  /** The total of bytes, as at the start. */
  of: number;
}

/**
 * `backup`, and its progress. The read models are copied before the log, because their copy must never be ahead of it.
 * A copy behind the log catches up at start-up. Keys and files are copied after the log, so that each word has its key,
 * and each document its file. Nothing is erased meanwhile, or an erased key would be missing for words whose new form the copy
 * of the log lacks. A failed copy leaves nothing.
 */
export function backups(
  { log, read, keys }: Pick<LocalStorage, "log" | "read" | "keys">,
  settings: BackupSettings,
  whileNothingIsErased: <Result>(work: () => Promise<Result>) => Promise<Result>,
): { readonly routes: readonly OperatorRoute[]; readonly make: (path: string) => Promise<{ readonly bytes: number }> } {
  let underway: Underway | undefined;
  const routes = [
    operatorRoute("GET", "/operator/backup", async () => {
      const body = underway === undefined ? null : { ...underway, bytes: await bytesIn(underway.path) };
      return { underway: body };
    }),
    operatorRoute("POST", "/operator/backup", ({ body }: OperatorRequest) => {
      const path = (body as { path?: unknown } | undefined)?.path;
      if (typeof path !== "string" || !isAbsolute(path)) throw new OperatorError(400, "path must be an absolute path");
      return make(path);
    }),
  ];
  return { routes, make };

  /** @throws OperatorError */
  async function make(path: string) {
    if (log === undefined || read === undefined || keys === undefined) throw new OperatorError(409, NO_EMBEDDED_STORES);
    if (underway !== undefined) throw new OperatorError(409, `a backup to ${underway.path} is under way`);
    const { dataDir } = settings;
    const isNew = assertEmptyFolder(path);
    const started: Underway = { path, of: 0 };
    underway = started;
    let files = 0;
    try {
      started.of = await bytesOf(dataDir);
      assertRoom(path, started.of, settings);
      await backup(read, join(path, "read"));
      files = await whileNothingIsErased(async () => {
        const until = Date.now();
        await backup(log, join(path, "log"));
        await backup(keys, join(path, "keys"));
        return backupFiles(dataFolders(dataDir).files, join(path, "files"), until);
      });
    } catch (error) {
      for (const made of isNew ? [path] : [...ENVIRONMENTS, "files"].map((name) => join(path, name))) {
        rmSync(made, { recursive: true, force: true });
      }
      if (error instanceof StorageError) throw new OperatorError(409, error.message);
      throw error;
    } finally {
      underway = undefined;
    }
    const bytes = ENVIRONMENTS.reduce((sum, name) => sum + statSync(join(path, name, DATA_FILE)).size, files);
    return { path, bytes };
  }
}

/** Returns true if the folder does not exist. */
function assertEmptyFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (!found.isDirectory()) throw new OperatorError(409, `${path} is not a folder`);
  if (readdirSync(path).length > 0) throw new OperatorError(409, `${path} is not empty`);
  return false;
}

const MEGABYTE = 1_048_576;

async function bytesOf(dataDir: string): Promise<number> {
  const { files, ...folders } = dataFolders(dataDir);
  const stores = ENVIRONMENTS.reduce((sum, name) => sum + statSync(join(folders[name], DATA_FILE)).size, 0);
  return stores + (await bytesIn(files));
}

/** The bytes of all files in a folder. Files may appear and disappear meanwhile. */
async function bytesIn(folder: string): Promise<number> {
  const names = await unlessGone(readdir(folder, { recursive: true }));
  const found = await Promise.all((names ?? []).map((name) => unlessGone(stat(join(folder, name)))));
  return found.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}

/** On the disk of the data folder, the service's reserve must stay free, too. */
function assertRoom(path: string, bytes: number, { dataDir, diskReserveMb }: BackupSettings): void {
  const needed = Math.ceil(bytes / MEGABYTE);
  const folder = nearestFolder(path);
  const reserved = statSync(folder).dev === statSync(dataDir).dev ? diskReserveMb : 0;
  const free = Math.floor(freeBytes(folder) / MEGABYTE);
  if (free >= needed + reserved) return;
  const besides = reserved === 0 ? "" : `, and ${reserved} MB more that the service keeps free there (DISK_RESERVE_MB)`;
  throw new OperatorError(409, `no room for a backup in ${path}: it needs ${needed} MB${besides}; ${free} MB are free`);
}

/** The folder itself, or the first one above it that exists. */
function nearestFolder(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? nearestFolder(dirname(path)) : path;
}

/** The name of an unfinished file has an extension; a finished one has none. */
const UNFINISHED = /\./;

/**
 * Copies the finished files of a folder. Files younger than `until` (milliseconds since the epoch) are skipped, because
 * they belong to no event in the copy of the log. Files change only by erasures. Returns the number of bytes.
 */
async function backupFiles(from: string, to: string, until: number): Promise<number> {
  makeFolder(to);
  let bytes = 0;
  for (const name of await readdir(from)) {
    if (UNFINISHED.test(name)) continue;
    const source = await unlessGone(stat(join(from, name)));
    if (source === undefined || source.mtimeMs > until) continue;
    bytes += (await copyDurably(join(from, name), join(to, name))) ? source.size : 0;
  }
  syncFolder(to);
  return bytes;
}

/** Undefined if the file was removed meanwhile. @throws other errors, because no unreadable file may be skipped. */
async function unlessGone<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** False if the file was removed in the meantime. */
async function copyDurably(from: string, to: string): Promise<boolean> {
  const isCopied = await unlessGone(copyFile(from, to, constants.COPYFILE_EXCL).then(() => true));
  if (isCopied === undefined) return false;
  const file = await open(to, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}
