import { beforeEach, expect, test } from "@jest/globals";
import {
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
  WrongExpectedRevision,
} from "@travel-booking/engines/event-store";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { countWords, readAll, SealedEventStore } from "../../src/command-handling/sealed-event-store.ts";

const ACCOUNT = `acc_${"a".repeat(32)}`;
const BOOKING = `bkg_${"b".repeat(32)}`;
const PASSENGER = `psg_${"c".repeat(32)}`;
const STREAM = `booking-${BOOKING}`;

let log: InMemoryEventStore;
let state: InMemoryStateStore;
beforeEach(() => {
  log = new InMemoryEventStore();
  state = new InMemoryStateStore();
});
const words = () => new SealedWords({ state, secretKey: "secret", shared: false });

function event(id: string, type: string, data: object, accountId: string | null = null): EventToAppend {
  const metadata = { accountId, actor: { kind: "system", id: "x" }, requestId: null, commandId: id, causationId: null };
  return { id, type, version: 1, at: 1, data, metadata } as EventToAppend;
}
const created = event("1", "BookingCreated", {
  bookingId: BOOKING,
  accountId: ACCOUNT,
  passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
  reference: "For Ada",
});
const rejected = event("2", "DocumentRejected", { documentId: "doc_1", reason: "not Ada's" });
const stored = async () => JSON.stringify((await log.readStream(STREAM)).map(({ data }) => data));

test("the log holds no word, and its streams are read as they were appended, also by the next process", async () => {
  const store = new SealedEventStore(log, words());
  await store.append(STREAM, NO_STREAM, [created]);
  // An operator's: nothing of it says whose it is.
  await new SealedEventStore(log, words()).append(STREAM, 0, [rejected]);
  expect(await stored()).not.toMatch(/Ada |ada@|not Ada/);
  for (const each of [store, new SealedEventStore(log, words())]) {
    expect((await each.readStream(STREAM)).map(({ data }) => data)).toStrictEqual([created.data, rejected.data]);
  }
});

test("a booking's stream is not read for its key once it was read or made", async () => {
  const changed = event("3", "BookingChanged", { changeId: null, reference: "not for Ada" });
  const reads: string[] = [];
  const readStream = log.readStream.bind(log);
  log.readStream = (stream, from) => {
    reads.push(stream);
    return readStream(stream, from);
  };
  const maker = new SealedEventStore(log, words());
  await maker.append(STREAM, NO_STREAM, [created]);
  await maker.append(STREAM, 0, [rejected]);
  expect(reads).toStrictEqual([]);
  const reader = new SealedEventStore(log, words());
  await reader.readStream(STREAM);
  await reader.append(STREAM, 1, [changed]);
  expect(reads).toStrictEqual([STREAM]);
  expect((await maker.keyIdsIn(STREAM)).size).toBe(1);
  expect((await maker.readStream(STREAM)).at(-1)?.data).toStrictEqual(changed.data);
});

test("a booking that another process has made has the other's key, also where this one tried, too", async () => {
  const late = new SealedEventStore(log, words());
  await new SealedEventStore(log, words()).append(STREAM, NO_STREAM, [created]);
  const again = { ...created, id: "other" };
  await expect(late.append(STREAM, NO_STREAM, [again])).rejects.toMatchObject({ name: WrongExpectedRevision.name });
  await late.append(STREAM, 0, [rejected]);
  expect((await late.keyIdsIn(STREAM)).size).toBe(1);
});

test("the same events again are the same append", async () => {
  const first = await new SealedEventStore(log, words()).append(STREAM, NO_STREAM, [created]);
  const store = new SealedEventStore(log, words());
  expect(await store.append(STREAM, NO_STREAM, [created])).toStrictEqual(first);
  expect((await store.readStream(STREAM))[0]?.data).toStrictEqual(created.data);
});

test("what was stored before there were keys is read as it is, and what follows is sealed", async () => {
  await log.append(STREAM, NO_STREAM, [created]);
  const store = new SealedEventStore(log, words());
  expect((await store.readStream(STREAM))[0]?.data).toStrictEqual(created.data);
  await store.append(STREAM, 0, [rejected]);
  expect(JSON.stringify((await log.readStream(STREAM))[1]?.data)).not.toMatch(/Ada |ada@|not Ada/);
  expect((await store.readStream(STREAM)).map(({ data }) => data)).toStrictEqual([created.data, rejected.data]);
});

test("sealed and plain events are counted, in a stream and in all of the log", async () => {
  const store = new SealedEventStore(log, words());
  expect(await countWords(readAll(store))).toStrictEqual({ sealed: 0, plain: 0 });
  await log.append(STREAM, NO_STREAM, [created]);
  await store.append(STREAM, 0, [rejected]);
  await store.append(`passenger-${PASSENGER}`, NO_STREAM, [
    event("3", "PassengerCreated", { firstName: "Ada" }, ACCOUNT),
    event("4", "EmailClaimClosed", { claimId: "c" }),
  ]);
  expect(await countWords([await log.readStream(STREAM)])).toStrictEqual({ sealed: 1, plain: 1 });
  expect(await countWords(readAll(store))).toStrictEqual({ sealed: 2, plain: 1 });
});

test("what is left of a booking has a new key from then on, in each process", async () => {
  const store = new SealedEventStore(log, words());
  const other = new SealedEventStore(log, words());
  await store.append(STREAM, NO_STREAM, [created]);
  await other.readStream(STREAM);
  const left = (id: string, passenger: number, name: string) =>
    event(id, "BookingPassengerErased", { bookingId: BOOKING, passenger, words: [["text", name]] });
  const documents = event("4", "BookingDocumentsErased", { bookingId: BOOKING, words: [["text", "Eve"]] });
  await store.append(STREAM, 0, [left("3", 0, "Bob"), documents, rejected]);
  const keys = [...(await store.keyIdsIn(STREAM))];
  expect(keys.length).toBe(3);
  // As where another process erases: this one may remember the key of before.
  for (const key of keys.slice(0, -1))
    await new SealedWords({ state, secretKey: "secret", shared: false }).keys.erase(key);
  const fresh = new SealedEventStore(log, words());
  await fresh.append(STREAM, 3, [event("5", "BookingCancelled", { reason: "ill" })]);
  await fresh.append(STREAM, 4, [event("6", "DocumentRejected", { reason: "blurred" })]);
  expect([...(await fresh.keyIdsIn(STREAM))]).toStrictEqual(keys);
  const read = (await fresh.readStream(STREAM)).map(({ data }) => data as Record<string, unknown>);
  expect(read.map((data) => data.words ?? data.reason ?? data.reference)).toStrictEqual([
    "[erased]",
    [["text", "[erased]"]],
    [["text", "Eve"]],
    "not Ada's",
    "ill",
    "blurred",
  ]);
});

test("words of an erased booking are read as erased, and none is stored any more", async () => {
  const sealed = words();
  const store = new SealedEventStore(log, sealed);
  await store.append(STREAM, NO_STREAM, [created]);
  for (const keyId of await store.keyIdsIn(STREAM)) await sealed.keys.erase(keyId);
  await store.append(STREAM, 0, [rejected]);
  expect(await stored()).not.toMatch(/Ada |ada@|not Ada/);
  expect((await store.readStream(STREAM)).map(({ data }) => data)).toStrictEqual([
    {
      ...(created.data as object),
      passengers: [{ name: "[erased]", email: "erased@erased.invalid" }],
      reference: "[erased]",
    },
    { documentId: "doc_1", reason: "[erased]" },
  ]);
});

test("without the keys nothing is appended, and that is known", async () => {
  state.create = () => Promise.reject(new StateStoreUnavailable("away", { outcomeUnknown: true }));
  const appended = new SealedEventStore(log, words()).append(STREAM, NO_STREAM, [created]);
  await expect(appended).rejects.toMatchObject({ name: EventStoreUnavailable.name, outcomeUnknown: false });
  expect(await log.readStream(STREAM)).toStrictEqual([]);
});
