import { expect, test } from "@jest/globals";
import { anEvent, takeEvents } from "../../contract/event-store-contract.ts";
import { NO_STREAM, START } from "../../src/event-store/index.ts";
import { openTemporaryStore } from "./temporary-store.ts";

test("an empty store begins at the start, and this process is its only writer", async () => {
  const { store, dispose } = openTemporaryStore();
  expect(await store.head()).toBe(START);
  expect(store.singleWriter).toBe(true);
  expect((await store.append("s", NO_STREAM, [anEvent()])).position).toBe(1n);
  await store.close();
  await dispose();
});

test("a store that is opened again goes on where it was, and knows what it stored", async () => {
  const first = openTemporaryStore();
  const events = Array.from({ length: 5 }, (_, index) => anEvent({ [`field${index}`]: index }));
  const result = await first.store.append("s", NO_STREAM, events);
  await first.store.close();
  await first.environment.close();

  const second = openTemporaryStore({}, first.folder);
  expect(await second.store.append("s", NO_STREAM, events)).toStrictEqual(result);
  const next = anEvent({ field0: 0, other: 1 });
  expect(await second.store.append("s", 4, [next])).toStrictEqual({ revision: 5, position: 6n });
  const all = await takeEvents(second.store, 6, { after: START });
  expect(all.map(({ data }) => data)).toStrictEqual([...events, next].map(({ data }) => data));
  await second.store.close();
  await second.dispose();
});

test("an event that can't be stored fails its own append and no other", async () => {
  const { store, dispose } = openTemporaryStore();
  const before = store.append("a", NO_STREAM, [anEvent()]);
  const circular: { self?: unknown } = {};
  circular.self = circular;
  await expect(store.append("b", NO_STREAM, [anEvent(), anEvent(circular)])).rejects.toThrow(RangeError);
  const after = store.append("b", NO_STREAM, [anEvent({ fine: true })]);
  expect([(await before).position, (await after).position]).toStrictEqual([1n, 2n]);
  await expect(store.append("b", 0, [])).rejects.toThrow("nothing to append");
  await store.close();
  await dispose();
});

test("a subscription ends when the store is closed", async () => {
  const { store, dispose } = openTemporaryStore();
  const batches = store.subscribe({ after: START, signal: new AbortController().signal })[Symbol.asyncIterator]();
  const next = batches.next();
  await store.close();
  expect((await next).done).toBe(true);
  await dispose();
});
