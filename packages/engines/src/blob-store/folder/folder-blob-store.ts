import { createHash, randomUUID } from "node:crypto";
import { link, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { makeFolder } from "@travel-booking/runtime/durable-files";
import type { DiskSpace } from "../../disk-space/index.ts";
import { checkKey, verifyContent } from "../content.ts";
import { type Blob, BlobExists, type BlobStore, type PutBlobOptions, type StoredBlob } from "../index.ts";
import { readContent, readFooterOf, writeBlob } from "./blob-file.ts";
import { codeOf, syncFolder, translateDiskErrors } from "./disk.ts";

/** Suffix of files that are being written. */
const UNFINISHED = ".part";

/**
 * Blobs as files of a folder, which is made if missing. One process owns it, and removes files that a killed process
 * left unfinished.
 * @param disk writing stops, even half-way, when this has no room; absent: there always is.
 * @param readOnly changes nothing in the folder.
 * @throws BlobStoreUnavailable
 */
export async function openFolderBlobStore(folder: string, disk?: DiskSpace, readOnly = false): Promise<BlobStore> {
  if (readOnly) return new FolderBlobStore(folder, disk);
  await translateDiskErrors(async () => {
    makeFolder(path.resolve(folder));
    for (const name of await readdir(folder)) if (name.endsWith(UNFINISHED)) await rm(path.join(folder, name));
  });
  return new FolderBlobStore(folder, disk);
}

class FolderBlobStore implements BlobStore {
  readonly #folder: string;
  readonly #disk: DiskSpace | undefined;

  constructor(folder: string, disk: DiskSpace | undefined) {
    this.#folder = folder;
    this.#disk = disk;
  }

  async put(key: string, content: AsyncIterable<Uint8Array>, options: PutBlobOptions): Promise<StoredBlob> {
    checkKey(key);
    const unfinished = path.join(this.#folder, `${randomUUID()}${UNFINISHED}`);
    try {
      const stored = await writeBlob(unfinished, key, content, options, this.#disk);
      await translateDiskErrors(() => this.#finish(unfinished, key, stored));
      return stored;
    } finally {
      // A file that is left behind is removed when the folder is opened again.
      await rm(unfinished, { force: true }).catch(() => undefined);
    }
  }

  async get(key: string): Promise<Blob | undefined> {
    checkKey(key);
    const file = this.#pathOf(key);
    const footer = await translateDiskErrors(() => readFooterOf(file, key));
    if (footer === undefined) return undefined;
    const { bytes, sha256, contentType } = footer;
    const pieces = verifyContent(key, footer, readContent(file, bytes));
    return { bytes, sha256, contentType, stream: Readable.from(pieces, { objectMode: false }) };
  }

  async remove(key: string): Promise<void> {
    checkKey(key);
    await translateDiskErrors(async () => {
      await rm(this.#pathOf(key), { force: true });
      await syncFolder(this.#folder);
    });
  }

  /** Gives the file its name, atomically and only once. */
  async #finish(unfinished: string, key: string, stored: StoredBlob): Promise<void> {
    try {
      await link(unfinished, this.#pathOf(key));
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      const existing = await readFooterOf(this.#pathOf(key), key);
      if (existing?.sha256 !== stored.sha256) throw new BlobExists(key);
    }
    await syncFolder(this.#folder);
  }

  /** A hash is a valid name on every file system. */
  #pathOf(key: string): string {
    return path.join(this.#folder, createHash("sha256").update(key).digest("hex"));
  }
}
