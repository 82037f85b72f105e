import { beforeEach, describe, expect, test } from "@jest/globals";
import { MAX_MULTIPART_OVERHEAD_BYTES } from "@travel-booking/http";
import { AccountQuota } from "../../src/quotas/account-quota.ts";
import { NoSpaceLeft, takeUploadSpace, type UploadSpace } from "../../src/quotas/upload-space.ts";
import { NO_QUOTAS } from "../../testing/index.ts";

const MOST_BYTES = 200_000;
let has: { documents: number; bytes: number };
let caughtUp: (quota: string) => Promise<void>;
let quotas: typeof NO_QUOTAS;
beforeEach(() => {
  has = { documents: 0, bytes: 0 };
  caughtUp = async () => undefined;
  const quota = (name: "documents" | "bytes", most: number) =>
    new AccountQuota({ name, most, count: async () => has[name], caughtUp: () => caughtUp(name), soleWriter: true });
  quotas = { ...NO_QUOTAS, documents: quota("documents", 2), documentBytes: quota("bytes", MOST_BYTES) };
});

const take = (bodyBytes = 0) => takeUploadSpace(quotas, "acc_1", bodyBytes);
const exceeded = (quota: string, most: number) => ({ rejection: { code: "quota_exceeded", facts: { quota, most } } });

/** Chunks of 10,000 bytes, and how many of them were asked for. */
function chunks(count: number) {
  const read = { count: 0 };
  async function* content() {
    for (; read.count < count; read.count += 1) yield Buffer.alloc(10_000);
  }
  return { read, content: content() };
}

async function receive(space: UploadSpace, content: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of space.fitting(content)) bytes += chunk.length;
  return bytes;
}

describe("the space of an upload", () => {
  test("whose length is known to be too large is refused before anything is read", async () => {
    await expect(take(MOST_BYTES + MAX_MULTIPART_OVERHEAD_BYTES + 1)).rejects.toMatchObject(
      exceeded("bytes", MOST_BYTES),
    );
    const space = await take(MOST_BYTES + MAX_MULTIPART_OVERHEAD_BYTES);
    expect(await receive(space, chunks(20).content)).toBe(MOST_BYTES);
  });

  test("of unknown length ends where the bound is crossed", async () => {
    const { read, content } = chunks(1_000);
    const space = await take();
    await expect(receive(space, content)).rejects.toThrow(NoSpaceLeft);
    expect(read.count).toBe(20);
    space.end(false);
    expect(await receive(await take(), chunks(20).content)).toBe(MOST_BYTES);
  });

  test("counts while it is under way, and what was reserved too much is free in the end", async () => {
    const first = await take(190_000 + MAX_MULTIPART_OVERHEAD_BYTES);
    const second = await take();
    await expect(receive(second, chunks(2).content)).rejects.toMatchObject(exceeded("bytes", MOST_BYTES));
    await expect(take()).rejects.toMatchObject(exceeded("documents", 2));
    second.end(false);
    expect(await receive(first, chunks(3).content)).toBe(30_000);
    first.end(true);
    has = { documents: 1, bytes: 30_000 };
    const third = await take();
    expect(await receive(third, chunks(17).content)).toBe(170_000);
  });

  test("that can't be counted takes nothing", async () => {
    caughtUp = async (quota) => {
      if (quota === "bytes") throw new Error("out of reach");
    };
    for (let n = 0; n < 2; n += 1) await expect(take(MOST_BYTES)).rejects.toThrow("out of reach");
    caughtUp = async () => undefined;
    for (let n = 0; n < 2; n += 1) await take();
  });
});
