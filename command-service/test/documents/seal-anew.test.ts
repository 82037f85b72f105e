import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type BlobStore, BlobStoreUnavailable } from "@travel-booking/engines/blob-store";
import { openFolderBlobStore } from "@travel-booking/engines/blob-store/folder";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { UploadStore } from "../../src/documents/uploads.ts";

/** Kept files, which get the newest key of their booking before the former ones are destroyed. */

const FILE = { uploadId: "upl_1", bookingId: "bkg_1" };
const PDF = Buffer.from("%PDF-1.7 a passport");

let folder: string;
let blobs: BlobStore;
let uploads: UploadStore;
/** By number, the newest last. */
let keys: { readonly id: string; readonly key: string }[];

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "files-"));
  blobs = await openFolderBlobStore(folder);
  keys = [];
  const words = { keys: { find: async (keyId: string) => keys.find(({ id }) => id === keyId) ?? null } };
  const events = { keyForFiles: async () => newest(), findKey: async () => newest() };
  uploads = new UploadStore(blobs, new InMemoryStateStore(), words as never, events);
  addKey();
  await uploads.store(FILE, "acc_1", Readable.from([PDF]), "application/pdf");
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const newest = () => keys.at(-1) ?? null;
const addKey = () => keys.push({ id: `key_${keys.length}`, key: Buffer.alloc(32, keys.length).toString("base64url") });
const read = async () => buffer((await uploads.read(FILE.uploadId)) ?? Readable.from([]));

test("a copy that an error left is sealed anew, too, since its key may go with those before it", async () => {
  addKey();
  const { put } = blobs;
  blobs.put = async (key, ...rest) => {
    if (key === FILE.uploadId) throw new BlobStoreUnavailable("the disk is full");
    return put.call(blobs, key, ...rest);
  };
  await expect(uploads.sealAnew(FILE)).rejects.toThrow("the disk is full");
  blobs.put = put;
  addKey();
  await uploads.sealAnew(FILE);
  keys.splice(0, 2);
  expect(await read()).toStrictEqual(PDF);
  await uploads.sealAnew(FILE);
  expect([await read(), fs.readdirSync(folder).length]).toStrictEqual([PDF, 1]);
});

test("a damaged file stays as it is", async () => {
  const [name = ""] = fs.readdirSync(folder);
  const stored = fs.readFileSync(path.join(folder, name));
  stored[stored.indexOf("key_0") + 60]! ^= 1;
  fs.writeFileSync(path.join(folder, name), stored);
  addKey();
  await expect(uploads.sealAnew(FILE)).rejects.not.toBeInstanceOf(BlobStoreUnavailable);
  expect(fs.readFileSync(path.join(folder, name))).toStrictEqual(stored);
});
