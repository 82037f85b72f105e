import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type TemporaryReadStore, temporaryReadStore } from "@travel-booking/engines/read-store/testing";
import { PASSENGERS } from "../src/index.ts";
import {
  keyIdOf,
  type OpenDocument,
  OpenedReadModels,
  SealedDocuments,
  type SealedWords,
  type WordKey,
} from "../src/sealed-words/index.ts";
import { blockOf } from "../src/sealed-words/sealed-json.ts";
import { newWords } from "../testing/index.ts";

const { model } = PASSENGERS.passenger;
const GENERATION = { projection: PASSENGERS.projection, generation: 1 };
/** What somebody may send who knows how words are stored. */
const HOSTILE = "\x7f1";

let temporary: TemporaryReadStore;
let words: SealedWords;
let key: WordKey;
beforeEach(async () => {
  temporary = temporaryReadStore();
  words = newWords();
  key = (await words.keys.findOrCreate("psg_1", "acc_1", true)) as WordKey;
  await temporary.store.switchLive(await temporary.store.create(PASSENGERS.projection, 1));
});
afterEach(() => temporary.close());

const PROFILE = { firstName: "Ada", lastName: HOSTILE, email: "ada@example.com", nationality: "GB" };
const DOCUMENT = {
  key: "acc_1/psg_1",
  position: 1n,
  created: 1n,
  body: { id: HOSTILE, ...PROFILE, metadata: { note: "Ada" } },
  state: { status: HOSTILE, profile: { ...PROFILE, metadata: [["note", ""]] } },
  indexes: {},
  staleAt: null,
} satisfies OpenDocument;

async function write(keyId: string | undefined): Promise<void> {
  const document = { ...DOCUMENT, keyId };
  const batch = { ...GENERATION, writes: [{ kind: "put" as const, model, document }], checkpoint: 1n };
  await new SealedDocuments(temporary.store, words).write([batch]);
  temporary.store.refresh();
}

/** Told of what was read. */
const size = expect.any(Number);
const storedDocument = () => temporary.store.document(model, DOCUMENT.key);

test("a document has the names of the words it is found by behind the entries of its body", async () => {
  await words.keys.findOrCreate("acc_2", "acc_2", true);
  const foundBy = { accountId: "acc_2", words: ["Ada", HOSTILE] };
  const document = { ...DOCUMENT, body: ["flt_1", 7], state: true, foundBy };
  const batch = { ...GENERATION, writes: [{ kind: "put" as const, model, document }], checkpoint: 1n };
  await new SealedDocuments(temporary.store, words).write([batch]);
  temporary.store.refresh();
  const names = await Promise.all(["Ada", HOSTILE].map((word) => words.keys.wordKey("acc_2", word)));
  expect((await storedDocument())?.body).toBe(JSON.stringify(["flt_1", 7, ...names]));
});

describe("the words of a document", () => {
  test("stand in one block, each once, and are put back in what is shown and in its state", async () => {
    await write(key.id);
    const stored = await storedDocument();
    expect(JSON.stringify([stored?.body, stored?.state])).not.toMatch(/\b(Ada|ada@|GB\b)/);
    const block = blockOf(stored?.body ?? "") ?? "";
    expect([keyIdOf(block), block.split(".")[1]]).toStrictEqual([key.id, "ttec"]);
    const opened = { ...DOCUMENT, body: JSON.stringify(DOCUMENT.body), keyId: key.id, size };
    const models = new OpenedReadModels(temporary.store, words);
    expect(await models.document(model, DOCUMENT.key)).toStrictEqual(opened);
    expect((await models.body(model, DOCUMENT.key))?.json).toBe(opened.body);
    const [read] = await new SealedDocuments(temporary.store, words).documentsOf(GENERATION, model, [DOCUMENT.key]);
    expect(read).toStrictEqual(opened);
  });

  test("are erased with their key, in both", async () => {
    await write(key.id);
    await words.keys.erase(key.id);
    const profile = {
      firstName: "[erased]",
      lastName: "[erased]",
      email: "erased@erased.invalid",
      nationality: "XX",
    };
    const opened = await new OpenedReadModels(temporary.store, words).document(model, DOCUMENT.key);
    expect(JSON.parse(opened?.body ?? "")).toStrictEqual({ id: HOSTILE, ...profile, metadata: { note: "[erased]" } });
    const state = { status: HOSTILE, profile: { ...profile, metadata: [["note", ""]] } };
    expect(opened?.state).toStrictEqual(state);
  });

  test("are not stored under an erased key", async () => {
    await words.keys.erase(key.id);
    await write(key.id);
    const stored = await storedDocument();
    expect(JSON.stringify([stored?.body, stored?.state])).not.toMatch(/\b(Ada|ada@|GB\b)/);
    expect(stored?.state).toMatchObject({ status: HOSTILE, profile: { firstName: "[erased]", nationality: "XX" } });
  });

  test("stay where they are without a key", async () => {
    await write(undefined);
    expect(await storedDocument()).toStrictEqual({ ...DOCUMENT, body: JSON.stringify(DOCUMENT.body), size });
  });
});
