import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Only this user may read them, because they hold secrets and personal data. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Makes a folder and missing folders above it, all durable when it returns. An existing folder is synced, too, because
 * its maker may have ended before it was. Node's recursive mode never ends on a file system such as /proc, which
 * reports ENOENT although the folder above exists.
 */
export function makeFolder(path: string): void {
  const above = dirname(path);
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") {
      syncIfPossible(above);
      return;
    }
    if (code !== "ENOENT" || above === path) throw error;
    makeFolder(above);
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  }
  syncFolder(above);
}

/** For a folder that somebody else may have made: this user may be unable to read or sync it. */
function syncIfPossible(folder: string): void {
  try {
    syncFolder(folder);
  } catch {}
}

/** Makes a file with this content. File and name are durable when it returns. @throws an error with the code EEXIST */
export function createFile(path: string, content: string): void {
  writeFile(path, "wx", content);
  syncFolder(dirname(path));
}

/** As `createFile`, but replaces an existing file. No reader sees half a file, not even after a power cut. */
export function replaceFile(path: string, content: string): void {
  const draft = `${path}.new`;
  writeFile(draft, "w", content);
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** Whether there is something at a path. @throws an error if that is unknown, where `existsSync` returns false. */
export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Waits until what was written to a file is on the disk. */
export function syncFile(path: string): void {
  withFile(path, "r", fsyncSync);
}

/** Waits until the list of the folder's files is on the disk. */
export function syncFolder(path: string): void {
  // Windows can't open a folder, and makes its entries durable by itself.
  if (process.platform !== "win32") syncFile(path);
}

function writeFile(path: string, flags: "w" | "wx", content: string): void {
  withFile(path, flags, (descriptor) => {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  });
}

function withFile(path: string, flags: string, use: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags, PRIVATE_FILE);
  try {
    use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
