import { types } from "node:util";
import { StartupError } from "@travel-booking/runtime/startup-error";
import type { RootDatabase } from "lmdb";

/** The data folder or its content can't be used. */
export class StorageError extends StartupError {
  override readonly name: string = "StorageError";
}

export class DataFolderInUse extends StorageError {
  override readonly name = "DataFolderInUse";

  constructor(folder: string, owner: string) {
    super(`the data folder ${folder} is in use by another process (${owner}): stop it, or choose another folder`);
  }
}

export class DataFolderNotWritable extends StorageError {
  override readonly name = "DataFolderNotWritable";

  constructor(folder: string, cause: unknown) {
    super(`the data folder ${folder} can't be written (${codeOf(cause)}): make it a folder this user may write to`, {
      cause,
    });
  }
}

export class DataFolderFull extends StorageError {
  override readonly name = "DataFolderFull";

  constructor(folder: string, cause: unknown) {
    super(`no space is left for the data folder ${folder} (${codeOf(cause)}): free some, then start again`, { cause });
  }
}

/** The stored data differs from what was written. */
export class DamagedStore extends StorageError {
  override readonly name = "DamagedStore";

  constructor(store: string, detail: string, cause?: unknown) {
    super(`the store ${store} is damaged: ${detail}; restore it from a backup`, { cause });
  }
}

const FULL = /ENOSPC|EDQUOT|EFBIG|no space left|quota exceeded|file too large|database or disk is full/i;
const NOT_WRITABLE =
  /EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EISDIR|ENOENT|denied|not permitted|read-?only|not a directory|no such file|unable to open/i;
const DAMAGED = /MDB_(CORRUPTED|INVALID|PAGE_NOTFOUND|VERSION_MISMATCH|PANIC|BAD_TXN)/;

/** The system's code of an error, or the start of its message. */
export function codeOf(error: unknown): string {
  // Errors of the runtime may come from another realm than this module.
  if (!types.isNativeError(error)) return String(error);
  if ("code" in error && typeof error.code === "string" && error.code !== "ERR_SQLITE_ERROR") return error.code;
  return error.message.split(/:\s|\n/, 1)[0] ?? error.message;
}

/** Translates an error of an engine or the file system for operators. */
export function toStorageError(folder: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = codeOf(error);
  if (FULL.test(code)) return new DataFolderFull(folder, error);
  if (DAMAGED.test(code)) return new DamagedStore(folder, code, error);
  if (NOT_WRITABLE.test(code)) return new DataFolderNotWritable(folder, error);
  return new StorageError(`the data folder ${folder} can't be used (${code})`, { cause: error });
}

/** Translates LMDB's errors about its own pages. @throws DamagedStore */
export function translateReadErrors<Result>(store: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const code = codeOf(error);
    throw DAMAGED.test(code) ? new DamagedStore(store, code, error) : error;
  }
}

/**
 * The cause of a failed write. LMDB rejects every promise of a failed transaction with an error that only refers to
 * another promise, which has the cause.
 */
export async function causeOfWriteFailure(error: unknown): Promise<unknown> {
  const cause = types.isNativeError(error) && "commitError" in error ? error.commitError : undefined;
  return types.isPromise(cause) ? cause.catch((reason: unknown) => reason) : error;
}

/**
 * Handles the rejection of a promise that LMDB makes for each batch and gives to no caller. Unhandled, it would end the
 * process. Callers have promises of their own.
 */
export function suppressBatchRejections(root: RootDatabase<unknown, string>): void {
  const handle = (error: unknown) => void causeOfWriteFailure(error);
  root.on("beforecommit", () => queueMicrotask(() => root.committed.then(undefined, handle)));
}
