import { renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeFolder, syncFile, syncFolder } from "@travel-booking/runtime/durable-files";
import { type Database, open, type RootDatabase } from "lmdb";
import { checkDataFile } from "./data-file.ts";
import { toStorageError } from "./storage-errors.ts";

const DATA = "data.mdb";
/** The folder of the new file, inside the environment's. */
const DRAFT = "rewriting";
/** Entries written together. */
const BATCH = 2_000;

type Raw = Database<Buffer, Buffer>;

/**
 * Writes all entries of an environment into a new file, which then takes the place of the old one. Nothing is left of what was
 * removed or replaced before: neither pages that are free, nor what stands between the entries of others. Nobody may have it
 * open. What a crash leaves is the old file or the new one.
 * @throws StorageError also where there is no room for a second file: the old one is as it was.
 */
export async function rewriteEnvironment(folder: string, maxDbs: number): Promise<void> {
  const path = resolve(folder);
  const draft = join(path, DRAFT);
  try {
    checkDataFile(join(path, DATA), false);
    rmSync(draft, { recursive: true, force: true });
    makeFolder(draft);
    const from = openRaw(path, maxDbs, true);
    const to = openRaw(draft, maxDbs, false);
    try {
      const names = [...from.getKeys()].map(String);
      for (const name of names) await copyEntries(rawDatabase(from, name), rawDatabase(to, name), to);
      await to.flushed;
    } finally {
      await from.close();
      await to.close();
    }
    syncFile(join(draft, DATA));
    renameSync(join(draft, DATA), join(path, DATA));
    syncFolder(path);
  } catch (error) {
    throw toStorageError(path, error);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function openRaw(path: string, maxDbs: number, readOnly: boolean): RootDatabase<Buffer, string> {
  return open<Buffer, string>({ path, readOnly, maxDbs, noSubdir: false, overlappingSync: false, encoding: "binary" });
}

/** Keys and values as bytes, whatever they mean. */
function rawDatabase(root: RootDatabase<Buffer, string>, name: string): Raw {
  return root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });
}

async function copyEntries(from: Raw, to: Raw, root: RootDatabase<Buffer, string>): Promise<void> {
  let waiting: { readonly key: Buffer; readonly value: Buffer }[] = [];
  const write = async () => {
    const entries = waiting;
    waiting = [];
    await root.batch(() => {
      for (const { key, value } of entries) void to.put(key, value);
    });
  };
  for (const { key, value } of from.getRange({ snapshot: false })) {
    // A value is a view of the mapped file, a key one of a buffer that the next reuses.
    waiting.push({ key: Buffer.from(key), value: Buffer.from(value) });
    if (waiting.length === BATCH) await write();
  }
  await write();
}
