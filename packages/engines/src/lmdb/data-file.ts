import { closeSync, fstatSync, fsyncSync, openSync, readSync } from "node:fs";
import { isThere } from "@travel-booking/runtime/durable-files";
import { DamagedStore } from "./storage-errors.ts";

/**
 * Checks a data file before it is mapped into memory, because reading a page behind the end of the file would crash the
 * process.
 * @param isNew true if nothing was ever stored here, so that the file may be missing or empty.
 * @throws DamagedStore
 */
export function checkDataFile(dataFile: string, isNew: boolean): void {
  if (!isThere(dataFile)) {
    if (isNew) return;
    throw new DamagedStore(dataFile, "the file is missing");
  }
  const descriptor = openSync(dataFile, "r");
  try {
    const file = { name: dataFile, descriptor, size: fstatSync(descriptor).size };
    if (file.size === 0 && isNew) return;
    check(file);
    // Flushes what a process killed between writing and flushing left, which a power cut could still undo.
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
  // LMDB does not write pages that one transaction allocated and freed, so the last pages may be missing.
  const end = Math.floor(file.size / meta.pageSize);
  let missing = meta.lastPage - end + 1;
  for (const page of freePages(file, meta, meta.freeList)) if (page >= end) missing -= 1;
  if (missing > 0) throw new DamagedStore(file.name, `the file is cut off, it has ${file.size} of ${needed} bytes`);
}

function* freePages(file: DataFile, meta: Meta, root: number | undefined): Generator<number> {
  if (root === undefined) return;
  const { children, values } = readTreePage(file, meta, root);
  for (const child of children) yield* freePages(file, meta, child);
  for (const list of values) yield* pagesOf(list, meta.lastPage);
}

/**
 * A list of page numbers after its length. Zero is an empty entry. A negative number is the length of the run that
 * follows.
 */
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

/**
 * The part of LMDB's file format, version 2, that is needed to read a file without mapping it (`MDB_page_header`,
 * `MDB_meta`, `MDB_db` and `MDB_node` of mdb.c). Numbers have 64 bits, little endian.
 */
const PAGE_HEADER = 24;
const META_BYTES = 144;
const MAGIC = 0xbeefc0de;
const FORMAT = 2;
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const META_PAGE = 0x08;
const BIG_DATA = 0x01;
const NO_ROOT = 0xffff_ffff_ffff_ffffn;

/** An open data file. */
interface DataFile {
  readonly name: string;
  readonly descriptor: number;
  /** In bytes. */
  readonly size: number;
}

/** The state after a transaction: the last page in use, and the roots of its two trees; undefined for an empty tree. */
interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly freeList: number | undefined;
  readonly main: number | undefined;
  readonly transaction: bigint;
}

/** The meta data of the last transaction. @throws DamagedStore */
function readMeta(file: DataFile): Meta {
  const first = metaAt(file, 0);
  const second = metaAt(file, first.pageSize);
  if (second.pageSize !== first.pageSize) throw new DamagedStore(file.name, "its two headers contradict each other");
  return first.transaction >= second.transaction ? first : second;
}

function metaAt(file: DataFile, offset: number): Meta {
  const page = Buffer.alloc(PAGE_HEADER + META_BYTES);
  const read = readSync(file.descriptor, page, 0, page.length, offset);
  const meta = page.subarray(PAGE_HEADER);
  const pageSize = meta.readUInt32LE(24);
  const isIntact =
    read === page.length &&
    (page.readUInt16LE(18) & META_PAGE) !== 0 &&
    meta.readUInt32LE(0) === MAGIC &&
    (meta.readUInt32LE(4) & 0xffff) === FORMAT &&
    pageSize >= 256 &&
    pageSize <= 65_536 &&
    (pageSize & (pageSize - 1)) === 0;
  if (!isIntact) throw new DamagedStore(file.name, "its header is not one of this store");
  return {
    pageSize,
    freeList: rootAt(meta, 64),
    main: rootAt(meta, 112),
    lastPage: Number(meta.readBigUInt64LE(120)),
    transaction: meta.readBigUInt64LE(128),
  };
}

function rootAt(meta: Buffer, offset: number): number | undefined {
  const root = meta.readBigUInt64LE(offset);
  return root === NO_ROOT ? undefined : Number(root);
}

/** One page of a tree: the pages below a branch, or the values of a leaf. @throws DamagedStore */
function readTreePage(file: DataFile, meta: Meta, number: number) {
  const page = readPages(file, meta, number, 1);
  const flags = page.readUInt16LE(18);
  const count = page.readUInt16LE(20) >> 1;
  const nodes = Array.from({ length: count }, (_, index) =>
    page.subarray(PAGE_HEADER + page.readUInt16LE(PAGE_HEADER + 2 * index)),
  );
  if ((flags & BRANCH) !== 0) return { children: nodes.map((node) => node.readUIntLE(0, 6)), values: [] };
  if ((flags & LEAF) !== 0) return { children: [], values: nodes.map((node) => dataOf(file, meta, node)) };
  throw damagedPage(file, number);
}

function dataOf(file: DataFile, meta: Meta, node: Buffer): Buffer {
  const size = node.readUInt32LE(0);
  const data = node.subarray(8 + node.readUInt16LE(6));
  if ((node.readUInt16LE(4) & BIG_DATA) === 0) return data.subarray(0, size);
  const count = Math.ceil((size + PAGE_HEADER) / meta.pageSize);
  const first = Number(data.readBigUInt64LE(0));
  const pages = readPages(file, meta, first, count);
  if ((pages.readUInt16LE(18) & OVERFLOW) === 0) throw damagedPage(file, first);
  return pages.subarray(PAGE_HEADER, PAGE_HEADER + size);
}

function readPages(file: DataFile, meta: Meta, number: number, count: number): Buffer {
  const bytes = count * meta.pageSize;
  const offset = number * meta.pageSize;
  if (number > meta.lastPage || offset + bytes > file.size) throw damagedPage(file, number);
  const pages = Buffer.alloc(bytes);
  const read = readSync(file.descriptor, pages, 0, bytes, offset);
  if (read !== bytes || pages.readBigUInt64LE(0) !== BigInt(number)) throw damagedPage(file, number);
  return pages;
}

function damagedPage(file: DataFile, number: number): DamagedStore {
  return new DamagedStore(file.name, `page ${number} is not what was written`);
}
