import { createHash, randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { BlobStore } from "../src/blob-store/index.ts";
import { BlobExists, BlobTooLarge, DamagedBlob, InvalidBlobKey } from "../src/blob-store/index.ts";

export interface OpenedBlobStore {
  readonly store: BlobStore;
  /** Reopens the same data, as after a restart. */
  reopen(): Promise<BlobStore>;
  /** The amount of stored data that no key refers to. */
  leftovers(): Promise<number>;
  dispose(): Promise<void>;
}

const MB = 1_024 * 1_024;
const LIMIT = { maxBytes: 10 * MB };

/** The content in pieces of this size. */
export async function* pieces(content: Uint8Array, size = 64 * 1_024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) {
    await setImmediate();
    yield content.subarray(at, at + size);
  }
}

export function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The contract of every engine. `open` starts with an empty store. */
export function describeBlobStore(name: string, open: () => Promise<OpenedBlobStore>): void {
  describe(`blob store contract: ${name}`, () => {
    let opened: OpenedBlobStore;
    let store: BlobStore;

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(async () => {
      await opened.dispose();
    });

    async function contentOf(key: string, from: BlobStore = store): Promise<Buffer | undefined> {
      const blob = await from.get(key);
      return blob && Buffer.concat(await blob.stream.toArray());
    }

    test.each([
      ["nothing", 0, 1],
      ["a byte", 1, 1],
      ["odd pieces", 100_003, 777],
      ["one byte less than a chunk of GridFS", 255 * 1_024 - 1, 4_096],
      ["a chunk of GridFS", 255 * 1_024, 4_096],
      ["one byte more", 255 * 1_024 + 1, 255 * 1_024],
      ["several chunks in one piece", 3 * MB, 3 * MB],
      ["10 MB", 10 * MB, 64 * 1_024],
    ])("%s comes back as it was", async (_, bytes, size) => {
      const content = randomBytes(bytes);
      const stored = { bytes, sha256: sha256(content) };
      expect(await store.put("k", pieces(content, size), { ...LIMIT, contentType: "image/png" })).toStrictEqual(stored);
      const blob = await store.get("k");
      expect(blob).toMatchObject({ ...stored, contentType: "image/png" });
      expect(Buffer.concat((await blob?.stream.toArray()) ?? []).equals(content)).toBe(true);
    });

    test("what is not there is undefined, and removing it is fine", async () => {
      expect(await store.get("k")).toBeUndefined();
      await store.remove("k");
    });

    test("everything is there after a restart", async () => {
      const content = randomBytes(300_000);
      await store.put("k", pieces(content), LIMIT);
      store = await opened.reopen();
      expect((await contentOf("k"))?.equals(content)).toBe(true);
      expect((await store.get("k"))?.contentType).toBeNull();
    });

    test("the same content again changes nothing", async () => {
      const content = randomBytes(300_000);
      const first = await store.put("k", pieces(content), LIMIT);
      expect(await store.put("k", pieces(content, 999), LIMIT)).toStrictEqual(first);
      expect((await contentOf("k"))?.equals(content)).toBe(true);
      expect(await opened.leftovers()).toBe(0);
    });

    test("other content under the same key is refused", async () => {
      const content = randomBytes(300_000);
      await store.put("k", pieces(content), LIMIT);
      await expect(store.put("k", pieces(randomBytes(300_000)), LIMIT)).rejects.toBeInstanceOf(BlobExists);
      expect((await contentOf("k"))?.equals(content)).toBe(true);
      expect(await opened.leftovers()).toBe(0);
    });

    test("of several contents put under one key at once, one is stored whole", async () => {
      const contents = Array.from({ length: 8 }, () => randomBytes(600_000));
      const results = await Promise.allSettled(contents.map((content) => store.put("k", pieces(content), LIMIT)));
      const winners = contents.filter((_, index) => results[index]?.status === "fulfilled");
      expect(winners).toHaveLength(1);
      expect(sha256((await contentOf("k")) ?? Buffer.alloc(0))).toBe(sha256(winners[0] ?? Buffer.alloc(1)));
      for (const result of results) if (result.status === "rejected") expect(result.reason).toBeInstanceOf(BlobExists);
      expect(await opened.leftovers()).toBe(0);
    });

    test("the same content put several times at once is stored once", async () => {
      const content = randomBytes(600_000);
      const stored = { bytes: content.length, sha256: sha256(content) };
      const results = await Promise.all(Array.from({ length: 8 }, () => store.put("k", pieces(content), LIMIT)));
      expect(results).toStrictEqual(results.map(() => stored));
      expect(await opened.leftovers()).toBe(0);
    });

    test("as much as is allowed is taken, a byte more is not, and nothing of it stays", async () => {
      const content = randomBytes(700_000);
      await store.put("fits", pieces(content), { maxBytes: content.length });
      const tooLarge = store.put("k", pieces(content), { maxBytes: content.length - 1 });
      await expect(tooLarge).rejects.toMatchObject({ name: "BlobTooLarge", maxBytes: content.length - 1 });
      await expect(tooLarge).rejects.toBeInstanceOf(BlobTooLarge);
      expect(await store.get("k")).toBeUndefined();
      expect(await opened.leftovers()).toBe(0);
    });

    test("content that never ends is refused, and read no further", async () => {
      let ended = false;
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          for (;;) yield randomBytes(100_000);
        } finally {
          ended = true;
        }
      }
      await expect(store.put("k", endless(), { maxBytes: MB })).rejects.toBeInstanceOf(BlobTooLarge);
      expect(ended).toBe(true);
    });

    test("content that can't be read to its end is not stored, and its own error tells why", async () => {
      const failure = new Error("the client has gone");
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield* pieces(randomBytes(600_000));
        throw failure;
      }
      await expect(store.put("k", broken(), LIMIT)).rejects.toBe(failure);
      expect(await store.get("k")).toBeUndefined();
      expect(await opened.leftovers()).toBe(0);
      const content = randomBytes(10);
      await store.put("k", pieces(content), LIMIT);
      expect((await contentOf("k"))?.equals(content)).toBe(true);
    });

    test("what is being put can't be seen", async () => {
      const content = randomBytes(600_000);
      let seen: unknown = "nobody looked";
      async function* watched(): AsyncGenerator<Uint8Array> {
        yield* pieces(content);
        seen = await store.get("k");
      }
      await store.put("k", watched(), LIMIT);
      expect(seen).toBeUndefined();
    });

    test("what is removed is gone, and its key can be used again", async () => {
      await store.put("k", pieces(randomBytes(600_000)), LIMIT);
      await store.remove("k");
      expect(await store.get("k")).toBeUndefined();
      expect(await opened.leftovers()).toBe(0);
      const content = randomBytes(10);
      await store.put("k", pieces(content), LIMIT);
      expect((await contentOf("k"))?.equals(content)).toBe(true);
    });

    test("what was removed meanwhile is not read as if it were whole", async () => {
      await store.put("k", pieces(randomBytes(600_000)), LIMIT);
      const blob = await store.get("k");
      await store.remove("k");
      await expect(blob?.stream.toArray()).rejects.toBeInstanceOf(DamagedBlob);
    });

    test("a reader that stops early leaves others alone", async () => {
      const content = randomBytes(3 * MB);
      await store.put("k", pieces(content), LIMIT);
      const unread = await store.get("k");
      unread?.stream.destroy();
      const begun = await store.get("k");
      for await (const _ of begun?.stream ?? []) break;
      expect((await contentOf("k"))?.equals(content)).toBe(true);
    });

    test.each([
      "acc_1/bkg_2/doc_3",
      "..",
      ".",
      "a/../b",
      "CON",
      "a:b|c*?<>\"'\\`$&",
      "x".repeat(200),
      "K",
      "k",
      "$where",
    ])("the key %s is one of its own", async (key) => {
      const content = Buffer.from(key);
      await store.put("other", pieces(Buffer.from("other")), LIMIT);
      await store.put(key, pieces(content), LIMIT);
      await store.put(`${key.slice(0, 199)}!`, pieces(Buffer.from("third")), LIMIT);
      expect((await contentOf(key))?.equals(content)).toBe(true);
      await store.remove(key);
      expect((await contentOf("other"))?.toString()).toBe("other");
    });

    test.each(["", "x".repeat(201), "a b", "é", "\u0000", "a\n"])("the key %j is refused", async (key) => {
      await expect(store.put(key, pieces(randomBytes(1)), LIMIT)).rejects.toBeInstanceOf(InvalidBlobKey);
      await expect(store.get(key)).rejects.toBeInstanceOf(InvalidBlobKey);
      await expect(store.remove(key)).rejects.toBeInstanceOf(InvalidBlobKey);
    });
  });
}
