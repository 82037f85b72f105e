import { closeSync, existsSync, fstatSync, fsyncSync, openSync } from "node:fs";
import { type DataFile, type Meta, readMeta, readTreePage } from "./file-format.ts";
import { DamagedStore } from "./storage-errors.ts";

/**
 * Looks at a store before it is mapped into memory: a page that lies behind the end of the file would end the
 * process on its first read, without an error.
 * @param isNew nothing has ever been stored here: no file, or an empty one, is as it should be.
 * @throws DamagedStore
 */
export function checkDataFile(dataFile: string, isNew: boolean): void {
  if (!existsSync(dataFile)) {
    if (isNew) return;
    throw new DamagedStore(dataFile, "the file is missing");
  }
  const descriptor = openSync(dataFile, "r");
  try {
    const file = { name: dataFile, descriptor, size: fstatSync(descriptor).size };
    if (file.size === 0 && isNew) return;
    check(file);
    // A process killed between writing and flushing leaves a transaction that a power cut could still undo.
    fsyncSync(descriptor);
  } catch (error) {
    if (error instanceof RangeError) throw new DamagedStore(dataFile, "a page of it is not what was written", error);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function check(file: DataFile): void {
  const meta = readMeta(file);
  if (meta.main !== undefined) readTreePage(file, meta, meta.main);
  if (meta.freeList !== undefined) readTreePage(file, meta, meta.freeList);
  const needed = (meta.lastPage + 1) * meta.pageSize;
  if (file.size >= needed) return;
  const missing = pagesBehindTheEnd(file, meta);
  for (const page of freePages(file, meta, meta.freeList)) missing.delete(page);
  if (missing.size > 0)
    throw new DamagedStore(file.name, `the file is cut off, it has ${file.size} of ${needed} bytes`);
}

/** More missing than any transaction leaves unwritten: not worth looking for in the list of free pages. */
const MAX_UNWRITTEN = 100_000;

/** LMDB does not write pages that were taken and given back in one transaction: the last of them may be missing. */
function pagesBehindTheEnd(file: DataFile, meta: Meta): Set<number> {
  const first = Math.floor(file.size / meta.pageSize);
  const count = Math.min(meta.lastPage - first + 1, MAX_UNWRITTEN);
  return new Set(Array.from({ length: count }, (_, index) => first + index));
}

function* freePages(file: DataFile, meta: Meta, root: number | undefined): Generator<number> {
  if (root === undefined) return;
  const page = readTreePage(file, meta, root);
  if (page.kind === "branch") for (const child of page.children) yield* freePages(file, meta, child);
  else for (const list of page.values) yield* pagesOf(list, meta.lastPage);
}

/** A list of page numbers behind its length; zero is an empty place, a negative number the length of the run that follows. */
function* pagesOf(list: Buffer, lastPage: number): Generator<number> {
  const length = Number(list.readBigInt64LE(0));
  let run = 1;
  for (let index = 1; index <= length; index++) {
    const entry = Number(list.readBigInt64LE(8 * index));
    if (entry < 0) run = -entry;
    if (entry <= 0) continue;
    for (let page = entry; page < entry + run && page <= lastPage; page++) yield page;
    run = 1;
  }
}
