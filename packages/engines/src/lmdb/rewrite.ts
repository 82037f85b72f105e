import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, syncFile, syncFolder } from "@travel-booking/runtime/durable-files";
import type { Database } from "lmdb";
import { DATA_FILE, type Environment, openEnvironment } from "./environment.ts";
import { toStorageError } from "./storage-errors.ts";

/** The folder of the new file, inside the environment's. */
const DRAFT = "rewriting";
/** Entries written together. */
const BATCH = 2_000;

type Raw = Database<Buffer, Buffer>;

interface Rewriting {
  /** Writes the new file; by default copies all entries. May miss entries written to the old file meanwhile. */
  readonly copy?: (from: Environment, to: Environment) => Promise<void>;
  /** Adds the missing entries while writes wait. Not needed if nothing writes. */
  readonly copyRest?: (to: Environment) => Promise<void>;
  /** Called before the first read from the new file, or write to it. */
  readonly onReplaced?: () => void;
}

/**
 * Copies the content of an environment into a new file, which then replaces the old one. Removed and overwritten data
 * does not stay behind: neither in free pages, nor between the entries of used ones. Only this thread may have the
 * environment open, and it must run this by `copyAlone`. A crash leaves the old file or the new one.
 * @throws StorageError for example without room for a second file; the old file is then unchanged.
 */
export async function rewriteEnvironment(
  environment: Environment,
  { copy = copyDatabases, copyRest, onReplaced }: Rewriting = {},
): Promise<void> {
  const { path, maxDbs, writes } = environment;
  const draft = join(path, DRAFT);
  try {
    discardRewrite(path);
    makeFolder(draft);
    const to = openEnvironment({ path: draft, maxDbs });
    try {
      await copy(environment, to);
    } catch (error) {
      await to.close();
      throw error;
    }
    await writes.pause(async () => {
      await copyRest?.(to);
      await to.root.flushed;
      syncFile(join(draft, DATA_FILE));
      renameSync(join(draft, DATA_FILE), join(path, DATA_FILE));
      const closed = environment.replaceBy(to);
      onReplaced?.();
      await closed;
      syncFolder(path);
    });
  } catch (error) {
    throw toStorageError(path, error);
  } finally {
    discardRewrite(path);
  }
}

/** Removes an unfinished new file that a crash left. */
export function discardRewrite(folder: string): void {
  rmSync(join(folder, DRAFT), { recursive: true, force: true });
}

/** Copies all entries of some databases as they are. @param wanted selects them by name; all by default. */
export async function copyDatabases(
  from: Environment,
  to: Environment,
  wanted: (name: string) => boolean = () => true,
): Promise<void> {
  for (const name of [...from.root.getKeys()].map(String).filter(wanted)) {
    await copyEntries(rawDatabase(from, name), rawDatabase(to, name), to);
  }
}

/** Reads keys and values as bytes, whatever they mean. */
function rawDatabase({ root }: Environment, name: string): Raw {
  return root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });
}

async function copyEntries(from: Raw, to: Raw, { root }: Environment): Promise<void> {
  let waiting: { readonly key: Buffer; readonly value: Buffer }[] = [];
  const write = async () => {
    const entries = waiting;
    waiting = [];
    await root.batch(() => {
      for (const { key, value } of entries) void to.put(key, value);
    });
  };
  for (const { key, value } of from.getRange({ snapshot: false })) {
    // A value is a view of the mapped file, and a key is a view of a buffer that the next key overwrites.
    waiting.push({ key: Buffer.from(key), value: Buffer.from(value) });
    if (waiting.length === BATCH) await write();
  }
  await write();
}
