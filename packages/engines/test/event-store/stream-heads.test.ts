import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { anEvent } from "../../contract/event-store-contract.ts";
import { NO_STREAM } from "../../src/event-store/index.ts";
import { openTemporaryStore, type TemporaryStore } from "./temporary-store.ts";

let temporary: TemporaryStore;
let reads: () => number;

beforeEach(() => {
  temporary = openTemporaryStore();
  // All databases inherit these two from one prototype, and every other read goes through them.
  const databases = Object.getPrototypeOf(temporary.environment.root);
  const spies = [jest.spyOn(databases, "getBinaryFast"), jest.spyOn(databases, "getRange")];
  reads = () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await temporary.store.close();
  await temporary.dispose();
});

test("a stream that has no events is looked up once, however often it is read, and not again to begin it", async () => {
  const { store } = temporary;
  expect(await store.readStream("empty")).toStrictEqual([]);
  const lookedUp = reads();
  expect(lookedUp).toBeGreaterThan(0);
  for (let time = 0; time < 1_000; time++) expect(await store.readStream("empty")).toStrictEqual([]);
  expect((await store.append("empty", NO_STREAM, [anEvent()])).revision).toBe(0);
  expect(reads()).toBe(lookedUp);
  expect(await store.readStream("empty")).toHaveLength(1);
  expect(await store.readStream("empty", 1)).toStrictEqual([]);
});

test("an append after a read, or after another append, looks nothing up", async () => {
  const { store, environment, folder } = temporary;
  await store.append("stream", NO_STREAM, [anEvent(), anEvent()]);
  await store.close();
  await environment.close();
  temporary = openTemporaryStore({}, folder);
  expect(await temporary.store.readStream("stream")).toHaveLength(2);
  const lookedUp = reads();
  await temporary.store.append("stream", 1, [anEvent()]);
  await temporary.store.append("stream", 2, [anEvent()]);
  expect(await temporary.store.readStream("stream", 4)).toStrictEqual([]);
  expect(reads()).toBe(lookedUp);
});

test("reading behind the end of a stream is not taken for a stream without events", async () => {
  const { store, environment, folder } = temporary;
  await store.append("stream", NO_STREAM, [anEvent(), anEvent()]);
  await store.close();
  await environment.close();
  temporary = openTemporaryStore({}, folder);
  expect(await temporary.store.readStream("stream", 2)).toStrictEqual([]);
  expect(await temporary.store.readStream("stream", 1)).toHaveLength(1);
  expect((await temporary.store.append("stream", 1, [anEvent()])).revision).toBe(2);
});
