import { expect, test } from "@jest/globals";
import { anEvent, takeEvents } from "../../contract/event-store-contract.ts";
import { type EventStore, NO_STREAM } from "../../src/event-store/index.ts";
import { openDatabases } from "./damage.test.ts";
import { openTemporaryStore, type TemporaryStore } from "./temporary-store.ts";

const STREAMS = 30;
const stream = (n: number) => `stream-${n}`;

/** Appends one event to each stream in turn, all at once. */
async function appendRounds(store: EventStore, from: number, to: number): Promise<void> {
  for (let revision = from; revision < to; revision++) {
    await Promise.all(
      Array.from({ length: STREAMS }, (_, n) => store.append(stream(n), revision - 1, [anEvent({ n, revision })])),
    );
  }
}

/** Every stream holds exactly these revisions, as in the log. */
async function expectRounds({ store }: TemporaryStore, rounds: number): Promise<void> {
  const all = await takeEvents(store, STREAMS * rounds, { after: 0n });
  const byStream = Map.groupBy(all, (event) => event.stream);
  for (let n = 0; n < STREAMS; n++) {
    const events = await store.readStream(stream(n));
    expect(events.map(({ revision }) => revision)).toStrictEqual(Array.from({ length: rounds }, (_, at) => at));
    expect(events).toStrictEqual(byStream.get(stream(n)));
    for (const from of [1, rounds - 1, rounds]) {
      expect(await store.readStream(stream(n), from)).toStrictEqual(events.slice(from));
    }
  }
}

/** As after a crash: what only memory held is gone. */
async function reopenedAfterCrash(temporary: TemporaryStore): Promise<TemporaryStore> {
  await temporary.environment.close();
  return openTemporaryStore({}, temporary.folder);
}

const storedEntries = ({ environment }: TemporaryStore) => openDatabases(environment).streams.getCount();

test("streams are whole while their index comes to the disk, for a reader beside the writers", async () => {
  const temporary = openTemporaryStore();
  const { store } = temporary;
  const rounds = 100;
  let reading = true;
  const expectNoGap = async () => {
    for (let n = 0; reading; n = (n + 1) % STREAMS) {
      for (const from of [0, 50]) {
        const read = await store.readStream(stream(n), from);
        expect(read.map(({ revision }) => revision)).toStrictEqual(read.map((_, index) => from + index));
      }
      await new Promise(setImmediate);
    }
  };
  const checked = expectNoGap();
  const writers = Array.from({ length: STREAMS }, async (_, n) => {
    for (let revision = 0; revision < rounds; revision++) {
      await store.append(stream(n), revision - 1, [anEvent({ n, revision })]);
      expect((await store.readStream(stream(n), revision)).map((event) => event.revision)).toStrictEqual([revision]);
    }
  });
  await Promise.all(writers);
  reading = false;
  await checked;
  expect(storedEntries(temporary)).toBeGreaterThan(0);
  await expectRounds(temporary, rounds);
  await store.close();
  await expectRounds(openTemporaryStore({}, temporary.folder), rounds);
  await temporary.dispose();
});

test("what was not indexed yet is found after a crash, and a repeated append is recognised", async () => {
  let temporary = openTemporaryStore();
  const events = [anEvent({ first: true }), anEvent({ first: false })];
  const result = await temporary.store.append("repeated", NO_STREAM, events);
  temporary = await reopenedAfterCrash(temporary);
  expect(storedEntries(temporary)).toBe(0);
  expect(await temporary.store.append("repeated", NO_STREAM, events)).toStrictEqual(result);
  expect(await temporary.store.head()).toBe(2n);
  await expect(temporary.store.append("repeated", NO_STREAM, [anEvent()])).rejects.toThrow("is at revision 1");
  expect(await temporary.store.append("repeated", 1, [anEvent()])).toStrictEqual({ revision: 2, position: 3n });
  temporary = await reopenedAfterCrash(temporary);
  expect(await temporary.store.readStream("repeated")).toHaveLength(3);
  await temporary.store.close();
  await temporary.dispose();
});

test("after several crashes the index is stored once enough has come together", async () => {
  let temporary = openTemporaryStore();
  for (const round of [20, 40, 60]) {
    await appendRounds(temporary.store, round - 20, round);
    temporary = await reopenedAfterCrash(temporary);
    await expectRounds(temporary, round);
  }
  expect(storedEntries(temporary)).toBeGreaterThan(0);
  await temporary.store.close();
  await temporary.dispose();
});

test("closing leaves nothing to be read from the log", async () => {
  let temporary = openTemporaryStore();
  await appendRounds(temporary.store, 0, 3);
  expect(storedEntries(temporary)).toBe(0);
  await temporary.store.close();
  expect(storedEntries(temporary)).toBe(3 * STREAMS);
  temporary = await reopenedAfterCrash(temporary);
  await appendRounds(temporary.store, 3, 5);
  await expectRounds(temporary, 5);
  await temporary.store.close();
  await temporary.dispose();
});

test("an index that is lost, or does not say how far it goes, is made from the log", async () => {
  let temporary = openTemporaryStore();
  await appendRounds(temporary.store, 0, 100);
  await temporary.store.close();
  for (const lose of ["marker", "all"]) {
    const { meta, streams } = openDatabases(temporary.environment);
    meta.removeSync("indexed");
    if (lose === "all") streams.clearSync();
    temporary = await reopenedAfterCrash(temporary);
    expect(storedEntries(temporary)).toBeGreaterThan(1_024);
    await expectRounds(temporary, 100);
  }
  await temporary.store.close();
  await temporary.dispose();
});
