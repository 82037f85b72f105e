import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { describeBlobStore, pieces } from "../contract/blob-store-contract.ts";
import { openFolderBlobStore } from "../src/blob-store/folder/folder-blob-store.ts";
import { BlobStoreUnavailable, DamagedBlob } from "../src/blob-store/index.ts";

const LIMIT = { maxBytes: 1_000_000 };

function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "blob-store-"));
}

describeBlobStore("a folder", async () => {
  const parent = temporaryFolder();
  const folder = path.join(parent, "not/there/yet");
  return {
    store: await openFolderBlobStore(folder),
    reopen: () => openFolderBlobStore(folder),
    async leftovers() {
      return fs.readdirSync(folder).filter((name) => name.endsWith(".part")).length;
    },
    async dispose() {
      fs.rmSync(parent, { recursive: true });
    },
  };
});

describe("a folder of blobs", () => {
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const onlyFile = () => path.join(folder, fs.readdirSync(folder)[0]!);

  test("what a process that died left unfinished is removed when it is opened, and nothing else", async () => {
    const content = randomBytes(1_000);
    await (await openFolderBlobStore(folder)).put("k", pieces(content), LIMIT);
    fs.writeFileSync(path.join(folder, "0b7e.part"), "half of");
    const store = await openFolderBlobStore(folder);
    expect(fs.readdirSync(folder)).toHaveLength(1);
    expect((await store.get("k"))?.bytes).toBe(1_000);
  });

  test("content that was changed fails at its end", async () => {
    const store = await openFolderBlobStore(folder);
    await store.put("k", pieces(randomBytes(200_000)), LIMIT);
    const file = fs.openSync(onlyFile(), "r+");
    fs.writeSync(file, "changed", 100_000);
    fs.closeSync(file);
    await expect((await store.get("k"))?.stream.toArray()).rejects.toBeInstanceOf(DamagedBlob);
  });

  test.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length - 10)],
    ["longer", (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("more")])],
    ["shorter in the middle", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 10), bytes.subarray(20)])],
    ["empty", () => Buffer.alloc(0)],
    ["something else", () => randomBytes(500)],
  ])("a file that is %s is not served", async (_, damage) => {
    const store = await openFolderBlobStore(folder);
    await store.put("k", pieces(randomBytes(1_000)), LIMIT);
    fs.writeFileSync(onlyFile(), damage(fs.readFileSync(onlyFile())));
    await expect(store.get("k")).rejects.toBeInstanceOf(DamagedBlob);
    await store.remove("k");
    expect(await store.get("k")).toBeUndefined();
  });

  test("a file under the name of another key is not served", async () => {
    const store = await openFolderBlobStore(folder);
    await store.put("k", pieces(randomBytes(10)), LIMIT);
    const first = onlyFile();
    await store.put("l", pieces(randomBytes(10)), LIMIT);
    const second = path.join(folder, fs.readdirSync(folder).find((name) => name !== path.basename(first))!);
    fs.copyFileSync(first, second);
    await expect(store.get("l")).rejects.toBeInstanceOf(DamagedBlob);
  });

  test("a folder that is gone is said to be unavailable, without its path", async () => {
    const store = await openFolderBlobStore(folder);
    fs.rmSync(folder, { recursive: true });
    const failure: unknown = await store.put("k", pieces(randomBytes(10)), LIMIT).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BlobStoreUnavailable);
    expect((failure as Error).message).toBe("the folder of the blobs can't be used (ENOENT)");
  });

  test("a folder that can't be made is unavailable", async () => {
    const file = path.join(folder, "file");
    fs.writeFileSync(file, "");
    await expect(openFolderBlobStore(path.join(file, "blobs"))).rejects.toBeInstanceOf(BlobStoreUnavailable);
  });
});
