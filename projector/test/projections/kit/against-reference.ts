import { expect } from "@jest/globals";
import { bookingBody, paymentBody, travelDocumentBody } from "@travel-booking/api-contract";
import { bookingAt, DAY, findPayment, isExistingBooking, PUBLIC_EVENTS } from "@travel-booking/domain";
import { NOTHING_SEEN, type RecordedEvent } from "@travel-booking/engines/event-store";
import type { Generation, ReadModels, ReadStore } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  BOOKINGS,
  EVENTS,
  type EventStub,
  eventOfLane,
  findBookingPast,
  findCurrentBooking,
  findEventStub,
  jsonOfEvents,
  jsonOwnedBy,
  ownedKey,
  parseEventStub,
  sortOfEvent,
  timeSortKey,
} from "@travel-booking/read-models";
import { type OpenBatch, SealedDocuments } from "@travel-booking/read-models/sealed-words";
import { newWords } from "@travel-booking/read-models/testing";
import fc from "fast-check";
import type { Projection } from "../../../src/projection.ts";
import { ProjectionFold } from "../../../src/projection-fold.ts";
import { bookings } from "../../../src/projections/bookings/bookings.ts";
import { neverFull } from "../../kit/never-full.ts";
import { bookings as reference } from "../../reference/bookings.ts";
import { BOOKINGS as BEFORE, type BookingDocumentState, EVENTS as EVENTS_BEFORE } from "../../reference/models.ts";
import { BOOKING } from "./booking-history.ts";
import { InMemoryDocuments } from "./in-memory-documents.ts";
import { lives } from "./random-lives.ts";

type Models = Pick<ReadModels, "document" | "body" | "page">;

type Batches = readonly (readonly RecordedEvent[])[];

/** Folds batches of the log into a generation. */
async function project(
  store: Pick<ReadStore, "documentsOf" | "checkpoint">,
  projection: Projection,
  generation: Generation,
  batches: Batches,
  write: (batch: OpenBatch) => Promise<void>,
): Promise<void> {
  const fold = new ProjectionFold(store, projection, generation, NOTHING_SEEN);
  for (const events of batches) {
    await fold.fold(events, neverFull);
    const batch = fold.takeBatch();
    await write(batch);
    fold.markWritten(batch);
    // Some batches find nothing in memory.
    if (events.length % 2 === 0) fold.reset();
  }
}

/** What a projection makes of batches of the log in memory. */
async function projected(projection: Projection, batches: Batches): Promise<InMemoryDocuments> {
  const documents = new InMemoryDocuments();
  const generation = { projection: projection.name, generation: 1 };
  await project(documents, projection, generation, batches, async ({ writes }) => documents.write(writes));
  return documents;
}

/** The former projection of a life, and today's of the same in these batches, in memory. */
export async function projectedBoth(events: readonly RecordedEvent[], cut: readonly number[]) {
  return { old: await projected(reference, [events]), made: await projected(bookings, cutAt(events, cut)) };
}

/** Today's projection of a life, in a new generation of an engine. */
async function projectOn(store: ReadStore, events: readonly RecordedEvent[], cut: readonly number[]): Promise<void> {
  const generation = await store.create(BOOKINGS.projection, BOOKINGS.version);
  const documents = new SealedDocuments(store, newWords());
  await project(store, bookings, generation, cutAt(events, cut), (batch) => documents.write([batch]));
  await store.switchLive(generation);
  await store.drop({ ...generation, generation: generation.generation - 1 });
}

/** So many random lives are projected on an engine, one after another: all its answers have to be the former projection's. */
export async function compareOn(store: ReadStore, numRuns: number): Promise<void> {
  const compared = fc.asyncProperty(lives, cuts, async (events, cut) => {
    await projectOn(store, events, cut);
    store.refresh();
    await compareAnswers(await projected(reference, [events]), store, events);
  });
  await fc.assert(compared, { numRuns });
}

export const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 10 });

/** Each batch begins anew somewhere before the end of the one before. */
function cutAt(events: readonly RecordedEvent[], cut: readonly number[]): Batches {
  const ends = [...cut.map((at) => at % (events.length + 1)), events.length].sort((one, other) => one - other);
  return ends.map((end, index) => events.slice((ends[index - 1] ?? 0) >> 1, end));
}

function accountOf(events: readonly RecordedEvent[]): string | undefined {
  const [first] = events;
  return first?.type === "BookingCreated" ? (first.data as { accountId: string }).accountId : undefined;
}

/** All that a client is answered about a life has to be what the former projection answers. */
export async function compareAnswers(
  old: InMemoryDocuments,
  made: Models,
  events: readonly RecordedEvent[],
): Promise<void> {
  const account = accountOf(events);
  if (account === undefined) {
    expect(await made.document(BOOKINGS.booking.model, BOOKING)).toBeUndefined();
    return;
  }
  await compareCurrent(old, made, account, events);
  await compareHistory(old, made, account);
  await compareVersions(old, made, account, events);
  await compareEvents(old, made, account);
}

/** The booking, its payments and documents at several moments. */
async function compareCurrent(
  old: InMemoryDocuments,
  made: Models,
  account: string,
  events: readonly RecordedEvent[],
): Promise<void> {
  const key = ownedKey(account, BOOKING);
  const before = await old.document(BEFORE.booking.model, key);
  const after = await made.document(BOOKINGS.booking.model, BOOKING);
  const created = before?.created;
  expect(jsonOwnedBy(account, after?.body ?? "")).toBe(before?.body);
  expect({ staleAt: after?.staleAt, created: after?.created }).toStrictEqual({ staleAt: before?.staleAt, created });
  const folded = await old.document(BEFORE.state.model, BOOKING);
  const state = (folded?.state as BookingDocumentState | undefined)?.booking;
  if (state === undefined || !isExistingBooking(state)) throw new Error("there is no booking");
  const end = events.at(-1)?.at ?? 0;
  for (const now of [end, end + DAY, end + 3 * DAY, end + 30 * DAY]) {
    const then = bookingAt(state, now);
    const current = await findCurrentBooking(made, account, BOOKING, now);
    if (!isExistingBooking(then) || current === undefined) throw new Error("there is no booking");
    expect(JSON.stringify(bookingBody(current))).toBe(JSON.stringify(bookingBody(then)));
    expect(current.documents.map(travelDocumentBody)).toStrictEqual(then.documents.map(travelDocumentBody));
    for (const { paymentId } of state.payments) {
      const stored = await old.document(BEFORE.payment.model, ownedKey(account, paymentId));
      const isStale = stored?.staleAt != null && now >= stored.staleAt;
      const payment = findPayment(then, paymentId);
      const shown = isStale && payment !== undefined ? JSON.stringify(paymentBody(then, payment)) : stored?.body;
      const own = findPayment(current, paymentId);
      expect(own && JSON.stringify(paymentBody(current, own))).toBe(shown);
    }
  }
  expect(await findCurrentBooking(made, "acc_other", BOOKING, end)).toBeUndefined();
}

async function pastOf(documents: Models, account: string) {
  const past = await findBookingPast(documents, account, BOOKING);
  if (past === undefined) throw new Error("there is no booking");
  return past;
}

async function compareHistory(old: InMemoryDocuments, made: Models, account: string): Promise<void> {
  const entries = await old.list(BEFORE.history.model, BEFORE.history.byBooking, ownedKey(account, BOOKING));
  const past = await pastOf(made, account);
  for (const limit of [1, 7, entries.length + 1]) {
    const pages: string[] = [];
    for (let after: string | undefined; pages.length <= entries.length; ) {
      const { entries: page } = await past.history({ limit, ...(after !== undefined && { after }) });
      pages.push(...page.map(({ json }) => json));
      after = page.at(-1)?.sort;
      if (page.length < limit) break;
    }
    expect(pages).toStrictEqual(entries);
  }
}

async function compareVersions(
  old: InMemoryDocuments,
  made: Models,
  account: string,
  events: readonly RecordedEvent[],
): Promise<void> {
  const { model, byTime: index } = BEFORE.version;
  const past = await pastOf(made, account);
  const moments = new Set(events.flatMap(({ at }) => [at - 1, at, at + 1]));
  for (const moment of moments) {
    const before = timeSortKey(moment + 1);
    const page = { index, partition: ownedKey(account, BOOKING), order: "descending", limit: 1, before } as const;
    const [version] = await old.page(model, page);
    expect(await past.jsonAsOf(moment)).toBe(version?.json);
  }
}

/** The projection before had no others. */
const isUsual = ({ type }: Pick<EventStub, "type">) => PUBLIC_EVENTS[type].usual;

/** Each list of public events, each event by its id, and each by its place. */
async function compareEvents(old: InMemoryDocuments, made: Models, account: string): Promise<void> {
  const { model } = EVENTS.event;
  const all = { order: "ascending", limit: 100_000 } as const;
  const formerIds = new Map(
    old.all(EVENTS_BEFORE.event.model).map(({ key, indexes }) => [indexes.all?.sort, key.slice(key.indexOf("/") + 1)]),
  );
  const withFormerId = (sort: string, eventId: string, json: string | undefined) =>
    json?.replace(`"id":"${eventId}"`, `"id":"${formerIds.get(sort)}"`);
  const lists = [
    ["all", ALL_PARTITION],
    ["byAccount", account],
    ...["booking.confirmed", "booking.changed", "booking.cancelled", "payment.succeeded", "payment.failed"].map(
      (type) => ["byAccountAndType", ownedKey(account, type)] as const,
    ),
  ] as const;
  for (const [index, partition] of lists) {
    const listed = await made.page(model, { ...all, index, partition });
    const items = listed.filter((item) => isUsual(parseEventStub(item.key, item)));
    const stubs = items.map((item) => parseEventStub(item.key, item));
    const { json: derived } = await jsonOfEvents(made, stubs);
    const shown = items.map(({ sort, key }, at) => withFormerId(sort, key, derived[at]));
    expect(shown).toStrictEqual(await old.list(model, index, partition));
    const sorts = (await old.page(model, { ...all, index, partition })).map(({ sort }) => sort);
    expect(items.map(({ sort }) => sort)).toStrictEqual(sorts);
  }
  const past = await pastOf(made, account);
  const { entries: ofBooking } = await past.events(all, isUsual);
  const bytes = ofBooking.map(({ sort, eventId, json }) => withFormerId(sort, eventId, json()));
  const { byBooking } = EVENTS_BEFORE.event;
  expect(bytes).toStrictEqual(await old.list(model, byBooking, ownedKey(account, BOOKING)));
  const backwards: string[] = [];
  for (let after: string | undefined; ; ) {
    const range = { order: "descending", limit: 3, ...(after !== undefined && { after }) } as const;
    const { entries: page } = await past.events(range, isUsual);
    backwards.push(...page.map(({ eventId }) => eventId));
    after = page.at(-1)?.sort;
    if (page.length < 3) break;
  }
  expect(backwards.reverse()).toStrictEqual(ofBooking.map(({ eventId }) => eventId));
  expect(new Set(backwards).size).toBe(formerIds.size);
  for (const { eventId, sort, json } of ofBooking) {
    expect((await findEventStub(made, account, eventId))?.eventId).toBe(eventId);
    const lane = { accountId: account, kind: "booking", about: BOOKING } as const;
    expect((await eventOfLane(made, lane, { eventId, sort }))?.json).toBe(json());
    expect(await eventOfLane(made, { ...lane, accountId: "acc_other" }, { eventId, sort })).toBeUndefined();
    expect(await sortOfEvent(made, account, eventId)).toBe(sort);
    expect(await findEventStub(made, "acc_other", eventId)).toBeUndefined();
    expect(await sortOfEvent(made, "acc_other", eventId)).toBeUndefined();
  }
}
