import { createCipheriv, randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { SEAL_HEAD_BYTES } from "@travel-booking/runtime/sealing";
import { sealContent, sealedSize, unsealContent } from "../src/sealed-words/index.ts";

const KEY = { id: `bkg_${"b".repeat(32)}`, key: "k".repeat(43) };
const CHUNK = 64 * 1_024;

async function* pieces(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}
const whole = async (content: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(content));
const seal = (content: Uint8Array, size = 10_000) => whole(sealContent(KEY, "upl_1", pieces(content, size)));
const unseal = (sealed: Uint8Array, context = "upl_1", key: typeof KEY | null = KEY) =>
  whole(unsealContent(async (id) => (id === KEY.id ? key : undefined), context, pieces(sealed, 7_777)));

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])("content of %d bytes is opened as it was", async (bytes) => {
  const content = Buffer.alloc(bytes, "Ada Lovelace");
  const sealed = await seal(content);
  expect(sealed.includes("Ada Lovelace")).toBe(false);
  expect(sealed.length).toBeLessThanOrEqual(sealedSize(bytes));
  expect((await unseal(sealed)).equals(content)).toBe(true);
});

test.each([1, 7, 8, 500, CHUNK, CHUNK + 1])("content in pieces of %d bytes is opened as it was", async (size) => {
  const content = Buffer.alloc(size === 1 ? 500 : 2 * CHUNK + 5, "piece");
  expect((await unseal(await seal(content, size))).equals(content)).toBe(true);
});

/** As releases up to 1.0 sealed it. */
function formerly(content: Buffer): Buffer {
  const sealed = [Buffer.from(`\0sealed1${KEY.id.padEnd(40)}`)];
  for (let at = 0, number = 0; at < content.length; at += CHUNK, number += 1) {
    const nonce = randomBytes(12);
    const place = `upl_1.${number}.${at + CHUNK < content.length ? "more" : "last"}`;
    const cipher = createCipheriv("aes-256-gcm", Buffer.from(KEY.key, "base64url"), nonce).setAAD(Buffer.from(place));
    const text = Buffer.concat([cipher.update(content.subarray(at, at + CHUNK)), cipher.final()]);
    sealed.push(nonce, cipher.getAuthTag(), text);
  }
  return Buffer.concat(sealed);
}

test.each([1, CHUNK, 2 * CHUNK + 5])("content of %d bytes that a former release sealed is opened", async (bytes) => {
  const content = Buffer.alloc(bytes, "former");
  const sealed = formerly(content);
  expect((await unseal(sealed)).equals(content)).toBe(true);
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  await expect(unseal(sealed)).rejects.toThrow();
});

test("what was stored before files were sealed is read as it is", async () => {
  for (const text of ["%PDF-1.4 plain", "%PDF", ""]) {
    const plain = Buffer.from(text);
    expect((await unseal(plain)).equals(plain)).toBe(true);
  }
});

test("another's, damaged, cut off or without a key it is not opened", async () => {
  const sealed = await seal(Buffer.alloc(2 * CHUNK, 1));
  const damaged = Buffer.from(sealed);
  damaged[100] = (damaged[100] ?? 0) ^ 1;
  const [begin, chunk] = [8 + 40, SEAL_HEAD_BYTES + CHUNK];
  await expect(unseal(sealed, "upl_2")).rejects.toThrow();
  await expect(unseal(damaged)).rejects.toThrow();
  await expect(unseal(sealed.subarray(0, begin + chunk))).rejects.toThrow();
  await expect(unseal(Buffer.concat([sealed.subarray(0, begin), sealed.subarray(begin + chunk)]))).rejects.toThrow();
  await expect(unseal(sealed, "upl_1", null)).rejects.toThrow("upl_1 is erased");
});
