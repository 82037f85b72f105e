import { afterEach, describe, expect, test } from "@jest/globals";
import { type BookingEvent, REVIEWS_PARTITION, SECOND } from "@travel-booking/domain";
import { ALL_PARTITION, BOOKINGS } from "@travel-booking/read-models";
import { bookings } from "../../src/projections/bookings/bookings.ts";
import { dueTasks } from "../../src/projections/due-tasks.ts";
import { historyOf } from "./kit/booking-answers.ts";
import { ACCOUNT, BOOKING, created, ofBooking, T0 } from "./kit/booking-history.ts";
import { closeAll, DELIVERIES, deliver, type GivenEvent } from "./kit/deliver.ts";
import { dueList } from "./kit/due-list.ts";

const ONE = "doc_0123456789abcdef0123456789abcdef000000000001";
const OTHER = "doc_0123456789abcdef0123456789abcdef000000000002";

function uploaded(documentId: string, at: number): BookingEvent {
  const file = { contentType: "application/pdf", sizeBytes: 7, sha256: "00" } as const;
  return {
    type: "DocumentUploaded",
    at,
    data: { documentId, uploadId: `upl_${documentId}`, fileName: "a.pdf", ...file },
  };
}
const verified: BookingEvent = {
  type: "DocumentVerified",
  at: T0 + 3 * SECOND,
  data: { documentId: ONE, kind: "passport", passengers: [0] },
};
const left: BookingEvent = {
  type: "DocumentLeftToOperator",
  at: T0 + 4 * SECOND,
  data: { documentId: OTHER, kind: "visa" },
};
const erased: BookingEvent = { type: "BookingErased", at: T0 + 5 * SECOND, data: { bookingId: BOOKING } };
const HISTORY = [created(), uploaded(ONE, T0 + SECOND), uploaded(OTHER, T0 + 2 * SECOND), verified, left, erased];

const row = (id: string, second: number, changes: object = {}) => ({
  id,
  bookingId: BOOKING,
  accountId: ACCOUNT,
  kind: "unknown",
  fileName: "a.pdf",
  contentType: "application/pdf",
  sizeBytes: 7,
  status: "pending",
  awaits: "reviewer",
  uploadedAt: `2027-01-03T10:00:0${second}.000Z`,
  ...changes,
});

describe.each(DELIVERIES)("documents delivered %s", (delivery) => {
  afterEach(closeAll);

  test("are in the review queue until they are decided", async () => {
    const queueAfter = async (events: number) => {
      const made = await deliver(bookings, ofBooking(HISTORY.slice(0, events)), delivery);
      return made.list(BOOKINGS.document.model, BOOKINGS.document.oldest, ALL_PARTITION);
    };
    expect(await queueAfter(3)).toStrictEqual([row(ONE, 1), row(OTHER, 2)]);
    const pending = row(OTHER, 2, { kind: "visa", awaits: "operator" });
    expect(await queueAfter(5)).toStrictEqual([pending]);
    expect(await queueAfter(6)).toStrictEqual([{ ...pending, fileName: "[erased]" }]);
  });

  test("that were rejected are listed, until an operator undoes it", async () => {
    const data = { documentId: OTHER, kind: "visa", reason: "It is expired." } as const;
    const undone = { documentId: OTHER, kind: "visa", passengers: [0] } as const;
    const history: readonly BookingEvent[] = [
      ...HISTORY.slice(0, 3),
      { type: "DocumentRejected", at: T0 + 3 * SECOND, data },
      { type: "DocumentVerified", at: T0 + 4 * SECOND, data: undone },
    ];
    const listsAfter = async (events: number) => {
      const made = await deliver(bookings, ofBooking(history.slice(0, events)), delivery);
      const { document, rejectedDocument } = BOOKINGS;
      const pending = await made.list(document.model, document.oldest, ALL_PARTITION);
      return [pending, await made.list(rejectedDocument.model, rejectedDocument.oldest, ALL_PARTITION)];
    };
    const { awaits: _, ...rejected } = row(OTHER, 2, {
      kind: "visa",
      status: "rejected",
      rejectionReason: data.reason,
    });
    expect(await listsAfter(4)).toStrictEqual([[row(ONE, 1)], [rejected]]);
    expect(await listsAfter(5)).toStrictEqual([[row(ONE, 1)], []]);
  });

  test("of a booking that is over are listed until they are erased, as is the booking", async () => {
    const at = T0 + 10 * SECOND;
    const end: BookingEvent = {
      type: "BookingCancelled",
      at,
      data: { bookingId: BOOKING, cause: "requested", reason: null },
    };
    const late = uploaded(OTHER, at + SECOND);
    const gone: BookingEvent = {
      type: "BookingDocumentsErased",
      at: at + 2 * SECOND,
      data: { bookingId: BOOKING, words: [] },
    };
    const listed = async (...history: readonly BookingEvent[]) => {
      const { models } = await deliver(bookings, ofBooking([created(), ...history]), delivery);
      const range = { partition: ALL_PARTITION, order: "ascending", limit: 9 } as const;
      const sorts = [BOOKINGS.over, BOOKINGS.overDocuments].map(async ({ model, oldest: index }) =>
        (await models.page(model, { ...range, index })).map(({ sort }) => Number.parseInt(sort, 10)),
      );
      return Promise.all(sorts);
    };
    expect(await listed(uploaded(ONE, T0))).toStrictEqual([[], []]);
    expect(await listed(end)).toStrictEqual([[at], []]);
    expect(await listed(uploaded(ONE, T0), end)).toStrictEqual([[at], [at]]);
    expect(await listed(end, late)).toStrictEqual([[at], [at + SECOND]]);
    expect(await listed(end, late, gone)).toStrictEqual([[at], []]);
    expect(await listed(end, late, { ...erased, at: at + 2 * SECOND })).toStrictEqual([[], []]);
  });

  test("are summed up per account, over all of its bookings", async () => {
    const history = [
      ...ofBooking(HISTORY),
      ["booking-bkg_other", { ...created(), data: { ...created().data, bookingId: "bkg_other" } }],
      ["booking-bkg_other", uploaded("doc_other", T0 + SECOND)],
      ["booking-bkg_other", uploaded("doc_others", T0 + SECOND), { accountId: "acc_other" }],
    ] as readonly GivenEvent[];
    const made = await deliver(bookings, history, delivery);
    const usageOf = async (accountId: string) => (await made.document(BOOKINGS.documentUsage.model, accountId))?.state;
    expect(await usageOf("acc_1")).toStrictEqual({ documents: 3, bytes: 21 });
    expect(await usageOf("acc_other")).toStrictEqual({ documents: 1, bytes: 7 });
    expect(await usageOf("acc_none")).toBeUndefined();
  });

  test("are in the booking's history, but for what only operators see", async () => {
    const made = await deliver(bookings, ofBooking(HISTORY), delivery);
    const entries = (await historyOf(made.models)) as { type: string; changes: object }[];
    expect(entries.map(({ type }) => type)).toStrictEqual([
      "booking.created",
      "document.uploaded",
      "document.uploaded",
      "document.verified",
    ]);
    expect(entries.at(-1)?.changes).toStrictEqual({
      [`documents.${ONE}`]: { kind: { from: "unknown", to: "passport" }, status: { from: "pending", to: "verified" } },
    });
  });

  test("are owed a review, in the list of what takes long", async () => {
    const owedAfter = async (events: number) => {
      const made = await deliver(dueTasks, ofBooking(HISTORY.slice(0, events)), delivery);
      return dueList(made, REVIEWS_PARTITION);
    };
    const owed = (documentId: string, dueAt: number) => ({
      kind: "review_document",
      bookingId: BOOKING,
      documentId,
      accountId: ACCOUNT,
      dueAt,
    });
    expect(await owedAfter(3)).toStrictEqual([owed(ONE, T0 + SECOND), owed(OTHER, T0 + 2 * SECOND)]);
    expect(await owedAfter(4)).toStrictEqual([owed(OTHER, T0 + 2 * SECOND)]);
    expect(await owedAfter(5)).toStrictEqual([]);
  });
});
