import { expect, test } from "@jest/globals";
import {
  bookingBody,
  type EventBody,
  eventSchema,
  paymentBody,
  refundBody,
  travelDocumentBody,
} from "@travel-booking/api-contract";
import {
  type BookingEvent,
  type BookingState,
  bookingDecider,
  hasFailed,
  isExistingBooking,
  paymentsOf,
  USUAL_EVENT_TYPES,
} from "@travel-booking/domain";
import { NOTHING_SEEN, type RecordedEvent } from "@travel-booking/engines/event-store";
import fc from "fast-check";
import { ProjectionFold } from "../../src/projection-fold.ts";
import { bookings } from "../../src/projections/bookings/bookings.ts";
import { neverFull } from "../kit/never-full.ts";
import { publicEvents } from "./kit/booking-answers.ts";
import { InMemoryDocuments } from "./kit/in-memory-documents.ts";
import { quietLives } from "./kit/random-lives.ts";

const RUNS = { numRuns: 200 };

/** What is told of a history that is delivered in these batches, each a slice of it. */
async function told(batches: readonly (readonly RecordedEvent[])[]): Promise<readonly EventBody[]> {
  const documents = new InMemoryDocuments();
  const fold = new ProjectionFold(documents, bookings, { projection: "bookings", generation: 1 }, NOTHING_SEEN);
  for (const batch of batches) {
    await fold.fold(batch, neverFull);
    const taken = fold.takeBatch();
    documents.write(taken.writes);
    fold.markWritten(taken);
  }
  return publicEvents(documents, "all", "all");
}

interface Moment {
  readonly commandId: string;
  readonly state: BookingState;
}

/** The booking after each event; before the first there is none. */
function momentsOf(events: readonly RecordedEvent[]): readonly Moment[] {
  let state = bookingDecider.initialState();
  return events.map((event) => {
    state = bookingDecider.evolve(structuredClone(state), event as unknown as BookingEvent);
    return { commandId: event.metadata.commandId, state };
  });
}

const statusOf = (state: BookingState | undefined) =>
  state !== undefined && isExistingBooking(state) ? state.status : "pending";

const refundsOf = (state: BookingState | undefined) =>
  paymentsOf(state ?? { status: "none" }).flatMap(({ refunds }) => refunds);

const documentsOf = (state: BookingState | undefined) =>
  state !== undefined && isExistingBooking(state) ? state.documents : [];

/** What must be told, found by comparing what is visible from moment to moment, and in nothing else like the projection. */
function expectedOf(events: readonly RecordedEvent[]): readonly (readonly [type: string, object: unknown])[] {
  const moments = momentsOf(events);
  return moments.flatMap(({ state }, index) => {
    if (!isExistingBooking(state)) return [];
    const before = moments[index - 1]?.state;
    const object = JSON.parse(JSON.stringify(bookingBody(state))) as object;
    const found: [string, unknown][] = [];
    if (before !== undefined && isExistingBooking(before)) {
      const rest = (body: object) => JSON.stringify({ ...body, status: null });
      if (rest(bookingBody(before)) !== rest(object)) found.push(["booking.changed", object]);
    }
    for (const payment of paymentsOf(state)) {
      const was = paymentsOf(before ?? { status: "none" }).find(({ paymentId }) => paymentId === payment.paymentId);
      if (payment.status === "pending" || was?.status === payment.status) continue;
      found.push([`payment.${payment.status}`, JSON.parse(JSON.stringify(paymentBody(state, payment)))]);
    }
    if (statusOf(before) !== state.status) found.push([`booking.${state.status}`, object]);
    for (const refund of refundsOf(state)) {
      const was = refundsOf(before).find(({ refundId }) => refundId === refund.refundId);
      if (was === undefined) continue;
      if (was.status !== refund.status) found.push(["refund.succeeded", refundBody(refund)]);
      if (hasFailed(refund) && !hasFailed(was)) found.push(["refund.failed", refundBody(refund)]);
    }
    for (const document of state.documents) {
      const was = documentsOf(before).find(({ documentId }) => documentId === document.documentId);
      if (was === undefined || was.status === document.status) continue;
      const { bookingId } = state;
      found.push([`document.${document.status}`, { ...travelDocumentBody(document), bookingId }]);
    }
    return found;
  });
}

test("every transition and outcome makes one event, in order, with the object right after it", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(quietLives, async (events) => {
      const tellings = await told([events]);
      expect(tellings.map(({ type, data }) => [type, data.object])).toStrictEqual(expectedOf(events));
      expect(new Set(tellings.map(({ id }) => id)).size).toBe(tellings.length);
      for (const telling of tellings) {
        expect(eventSchema.parse(telling)).toStrictEqual(telling);
        seen.add(telling.type);
      }
    }),
    RUNS,
  );
  expect(seen).toStrictEqual(new Set([...USUAL_EVENT_TYPES, "refund.succeeded"]));
});

test("previousAttributes is the difference to what was told, and to be seen, before", async () => {
  await fc.assert(
    fc.asyncProperty(quietLives, async (events) => {
      const first = momentsOf(events).find(({ state }) => isExistingBooking(state))?.state;
      if (first === undefined || !isExistingBooking(first)) return;
      let known: Record<string, unknown> = JSON.parse(JSON.stringify(bookingBody(first)));
      for (const { type, data } of await told([events])) {
        if (type !== "booking.changed") expect(data.previousAttributes).toBeNull();
        if (!type.startsWith("booking.")) continue;
        const object = data.object as Record<string, unknown>;
        const undone: Record<string, unknown> = { ...object, ...data.previousAttributes };
        for (const field in undone) if (undone[field] === null) delete undone[field];
        expect({ ...undone, status: null }).toStrictEqual({ ...known, status: null });
        for (const [field, was] of Object.entries(data.previousAttributes ?? {})) {
          expect(object[field] ?? null).not.toStrictEqual(was);
        }
        known = object;
      }
    }),
    RUNS,
  );
});

test("a command makes at most one booking.changed", async () => {
  await fc.assert(
    fc.asyncProperty(quietLives, async (events) => {
      const ofCommand = new Map<string, number>();
      const moments = momentsOf(events);
      for (const [index, { commandId, state }] of moments.entries()) {
        const before = moments[index - 1]?.state;
        if (before === undefined || !isExistingBooking(before) || !isExistingBooking(state)) continue;
        const rest = JSON.stringify({ ...bookingBody(state), status: null });
        if (rest === JSON.stringify({ ...bookingBody(before), status: null })) continue;
        ofCommand.set(commandId, (ofCommand.get(commandId) ?? 0) + 1);
      }
      expect([...ofCommand.values()].every((count) => count === 1)).toBe(true);
    }),
    RUNS,
  );
});

test("however the log is delivered, the events and their ids are the same", async () => {
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(quietLives, cuts, async (events, at) => {
      const once = await told([events]);
      const ends = at.map((cut) => cut % (events.length + 1)).sort((one, other) => one - other);
      // Each batch begins anew somewhere before the end of the one before.
      const overlapping = [...ends, events.length].map((end, index) => events.slice((ends[index - 1] ?? 0) >> 1, end));
      expect(await told(overlapping)).toStrictEqual(once);
      expect(await told(events.map((event) => [event]))).toStrictEqual(once);
      expect(await told([...events.map((event) => [event]), events])).toStrictEqual(once);
    }),
    { numRuns: 60 },
  );
});
