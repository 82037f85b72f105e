import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { DamagedStore } from "../../src/lmdb/index.ts";
import { openLmdbReadStore } from "../../src/read-store/lmdb/lmdb-read-store.ts";
import { openRoot, temporaryFolder } from "../../testing/read-store/index.ts";

const GENERATION = { projection: "p", generation: 1 };
const BODY = '{"name":"a-needle-in-the-haystack"}';

async function stored(folder: string, state: unknown): Promise<void> {
  const root = openRoot(folder);
  const store = openLmdbReadStore(root);
  await store.create(GENERATION, 1);
  await store.switchLive(GENERATION);
  const document = { key: "k", position: 1n, created: 1n, body: BODY, state, indexes: {}, staleAt: null };
  await store.write([{ ...GENERATION, checkpoint: 1n, writes: [{ kind: "put", model: "p.m", document }] }]);
  await store.close();
  await root.close();
}

function flip(folder: string, text: string): void {
  const file = path.join(folder, "data.mdb");
  const bytes = fs.readFileSync(file);
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + 3]! ^= 0x01;
  fs.writeFileSync(file, bytes);
}

test.each([
  ["a body", null, "a-needle"],
  ["a state", { long: "s".repeat(3_000), needle: "in-the-state" }, "in-the-state"],
])("%s that is not what was written is never read as if it were", async (_, state, text) => {
  const folder = temporaryFolder();
  await stored(folder, state);
  flip(folder, text);
  const root = openRoot(folder);
  const store = openLmdbReadStore(root);
  await expect(store.document("p.m", "k")).rejects.toBeInstanceOf(DamagedStore);
  if (state === null) await expect(store.body("p.m", "k")).rejects.toBeInstanceOf(DamagedStore);
  await root.close();
  fs.rmSync(folder, { recursive: true });
});
