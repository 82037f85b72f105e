import { describe, expect, test } from "@jest/globals";
import { type BookingEvent, MAX_PAYMENTS } from "@travel-booking/domain";
import {
  BookingLife,
  parseSegment,
  type RecordedBookingEvent,
  type Segment,
  type StoredSegment,
  storeSegment,
} from "../src/index.ts";

const DIGITS = "0196f0c200007abc8def012345000000";
const BOOKING = `bkg_${DIGITS}`;
const PAYMENT = `pay_${DIGITS}00000000000c`;
const FOREIGN = "pay_elsewhere";

const CREATED: BookingEvent = {
  type: "BookingCreated",
  at: 1_000,
  data: {
    bookingId: BOOKING,
    accountId: "acc_1",
    flightId: "flt_1",
    cabin: "economy",
    departsAt: 9_000,
    passengers: [{ name: "Zoë 🚀", email: "zoe@example.com" }],
    seats: [],
    fareAmount: 100,
    surcharges: [],
    creditApplied: 0,
    totalAmount: 100,
    currency: "USD",
    reference: null,
    expiresAt: null,
  },
};
const card = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2031 };
const money = { amount: 100, currency: "USD" };

/** Each type of event, with and without what may be absent, and with ids that do not follow from the booking's. */
const EVERY_KIND: readonly BookingEvent[] = [
  CREATED,
  { type: "BookingAbandoned", at: 1, data: { bookingId: "bkg_other" } },
  { type: "BookingChanged", at: 2, data: { changeId: null } },
  { type: "BookingChanged", at: 2, data: { changeId: null, metadata: [["__proto__", "7"]] } },
  { type: "BookingChanged", at: 2, data: { changeId: "c", reference: null, seats: ["1A"], totalAmount: 0 } },
  {
    type: "BookingChanged",
    at: 2,
    data: {
      changeId: "c",
      passengers: [{ name: "A", email: "b" }],
      creditGivenUp: { accountId: "acc_1", creditId: "c", amount: 1 },
    },
  },
  { type: "SeatChangeClosed", at: 2, data: { changeId: "c" } },
  { type: "BookingConfirmed", at: 2, data: { bookingId: BOOKING } },
  {
    type: "BookingCancelled",
    at: 2,
    data: { bookingId: BOOKING, cause: "requested", reason: null, keepsPoints: true },
  },
  {
    type: "PaymentStarted",
    at: 3,
    data: {
      ...money,
      paymentId: PAYMENT,
      method: { type: "card", card, saveCard: false },
      metadata: [["__proto__", "7"]],
    },
  },
  {
    type: "PaymentStarted",
    at: 3,
    data: { ...money, paymentId: FOREIGN, method: { type: "wallet", wallet: { type: "paypal" } }, metadata: [] },
  },
  { type: "PaymentSucceeded", at: 3, data: { paymentId: PAYMENT, pending: { accountId: "acc_2", from: 0, to: 7 } } },
  { type: "PaymentSucceeded", at: 3, data: { paymentId: PAYMENT } },
  { type: "PaymentFailed", at: 3, data: { paymentId: PAYMENT, failureCode: "card_declined" } },
  {
    type: "TransferReceived",
    at: 3,
    data: { ...money, entryId: "e1", paymentId: PAYMENT, reference: "RF18", applied: 100 },
  },
  {
    type: "ReturnDue",
    at: 3,
    data: { ...money, returnId: `ret_${DIGITS}_e1`, entryId: "e1", paymentId: PAYMENT, cause: "excess" },
  },
  { type: "ReturnSent", at: 3, data: { returnId: `ret_${DIGITS}_e1` } },
  {
    type: "RefundStarted",
    at: 3,
    data: {
      ...money,
      refundId: `rfd_${DIGITS}f1`,
      paymentId: PAYMENT,
      reason: "other",
      settlesAt: null,
      departed: true,
    },
  },
  { type: "RefundSucceeded", at: 3, data: { refundId: `rfd_${DIGITS}f1`, paymentId: PAYMENT } },
  {
    type: "DocumentUploaded",
    at: 3,
    data: {
      documentId: `doc_${DIGITS}d1`,
      uploadId: "u",
      fileName: "a.pdf",
      contentType: "application/pdf",
      sizeBytes: 0,
      sha256: "00",
    },
  },
  { type: "DocumentVerified", at: 3, data: { documentId: `doc_${DIGITS}d1`, kind: "passport", passengers: [0] } },
  {
    type: "DocumentVerified",
    at: 3,
    data: {
      documentId: `doc_${DIGITS}d1`,
      kind: "passport",
      passengers: [0],
      zoneName: "A",
      read: { name: "A", expiresOn: "2030-01-01", number: "1" },
      sameAs: [`doc_${DIGITS}d1`, "doc_"],
    },
  },
  { type: "DocumentRejected", at: 3, data: { documentId: "doc_", kind: "visa", reason: "" } },
  {
    type: "DocumentRejected",
    at: 3,
    data: { documentId: "doc_", kind: "visa", reason: "", read: { name: "A", expiresOn: null } },
  },
  { type: "DocumentLeftToOperator", at: 3, data: { documentId: `doc_${DIGITS}d1`, kind: "visa" } },
  { type: "UploadClosed", at: 3, data: { uploadId: "u" } },
  { type: "NoteAdded", at: 3, data: { text: "rang up" } },
  { type: "CreditApplied", at: 3, data: { redemptionId: "r", amount: 0, totalAmount: 0 } },
  { type: "CabinUpgraded", at: 3, data: { redemptionId: "r", cabin: "first", surcharges: [0] } },
  { type: "RewardAdded", at: 3, data: { redemptionId: "r", reward: "lounge_access" } },
  { type: "RedemptionClosed", at: 3, data: { redemptionId: "r" } },
  { type: "BookingFlown", at: 3, data: { accountId: "acc_1", amount: 0, pending: 0 } },
];

const ACTORS = [
  { kind: "credential", id: "crd_1" },
  { kind: "system", id: "policy" },
  { kind: "operator", id: "operator" },
] as const;

function recorded(event: BookingEvent, revision: number, position = BigInt(revision * 10 + 7)): RecordedBookingEvent {
  const actor = ACTORS[(revision >> 1) % ACTORS.length] ?? ACTORS[0];
  const requestId = revision % 4 === 0 ? null : `req_${revision >> 1}`;
  const id = `0196f0c2-0000-7abc-8def-${String(revision).padStart(12, "0")}`;
  return { ...event, id, revision, position, metadata: { actor, requestId } };
}

function changed(number: number, reference = `r${number}`): BookingEvent {
  return { type: "BookingChanged", at: 2_000 + number, data: { changeId: null, reference } };
}

function stored(life: BookingLife): StoredSegment {
  return JSON.parse(JSON.stringify(life.stored)) as StoredSegment;
}

/** A life with these events, and the segments that were closed. */
function live(events: readonly BookingEvent[]) {
  const closed: Segment[] = [];
  let life = BookingLife.parse(BOOKING);
  for (const [revision, event] of events.entries()) {
    const appended = life.append(recorded(event, revision));
    if (appended.closed !== undefined) closed.push(appended.closed);
    life = appended.life;
  }
  return { life, closed };
}

describe("the events of a booking", () => {
  test("are stored and read as they are, each kind, one after another", () => {
    const events = EVERY_KIND.map((event, index) => recorded(event, index * 2));
    events.push(recorded(changed(1), 1_000, 2n ** 62n));
    const stored = JSON.parse(JSON.stringify(storeSegment({ start: null, events }))) as StoredSegment;
    expect(parseSegment(BOOKING, stored).events).toStrictEqual(events);
  });
});

describe("a life", () => {
  test("is stored as what it was, whatever is added to it", () => {
    const { life } = live([CREATED, changed(1)]);
    const { stored: before } = life;
    const json = JSON.stringify(before);
    life.append(recorded(changed(2), 2));
    expect(JSON.stringify(before)).toBe(json);
  });

  test("closes a segment at 64 events, which begins the next one's", () => {
    const { life, closed } = live([CREATED, ...Array.from({ length: 64 }, (_, index) => changed(index + 1))]);
    const [segment] = closed;
    expect(closed.length).toBe(1);
    expect(segment?.events.map(({ revision }) => revision)).toStrictEqual(Array.from({ length: 64 }, (_, n) => n));
    const open = parseSegment(BOOKING, stored(life));
    expect(open.events).toStrictEqual([recorded(changed(64), 64)]);
    expect(open.start).toMatchObject({ accountId: "acc_1", status: "pending", reference: "r63" });
  });

  test("closes segments also while a charge is open: nothing bounds what happens until its outcome is known", () => {
    const charge: BookingEvent = {
      type: "PaymentStarted",
      at: 1_001,
      data: { ...money, paymentId: PAYMENT, method: { type: "card", card, saveCard: false }, metadata: [] },
    };
    const { closed } = live([CREATED, charge, ...Array.from({ length: 200 }, (_, index) => changed(index + 1))]);
    expect(closed.map(({ events }) => events.length)).toStrictEqual([64, 64, 64]);
  });

  test("closes a segment that has 16 kB at every fourth event", () => {
    const { closed } = live([CREATED, ...Array.from({ length: 13 }, (_, n) => changed(n + 1, "x".repeat(5_000)))]);
    expect(closed.map(({ events }) => events.length)).toStrictEqual([8, 4]);
  });

  test.each([5, 10, MAX_PAYMENTS])("with %i large payments is stored as often as a small one", (count) => {
    const metadata = [["k", "x".repeat(20_000)]] as const;
    const payments = Array.from({ length: count }, (_, number): BookingEvent[] => [
      {
        type: "PaymentStarted",
        at: 3,
        data: { ...money, paymentId: `pay_${number}`, method: { type: "card", card, saveCard: false }, metadata },
      },
      { type: "PaymentFailed", at: 3, data: { paymentId: `pay_${number}`, failureCode: "card_declined" } },
    ]).flat();
    const { life, closed } = live([CREATED, ...payments]);
    const written = [...closed.map(storeSegment), life.stored].map((segment) => JSON.stringify(segment).length);
    const ofEvents = JSON.stringify(payments).length;
    expect(written.reduce((sum, length) => sum + length, 0)).toBeLessThan(3 * ofEvents);
  });

  test("goes on from what is stored as if it had never been stored", () => {
    const transfer: BookingEvent = {
      type: "PaymentStarted",
      at: 1_001,
      data: {
        ...money,
        paymentId: PAYMENT,
        method: {
          type: "bank_transfer",
          bankTransfer: { dueAt: 9_000, iban: "DE89", bic: "COBADEFFXXX", reference: "RF18" },
        },
        metadata: [],
      },
    };
    const received: BookingEvent = {
      type: "TransferReceived",
      at: 1_002,
      data: { ...money, entryId: "e1", paymentId: PAYMENT, reference: "RF18", applied: 50 },
    };
    const events = [CREATED, transfer, received, ...Array.from({ length: 150 }, (_, index) => changed(index + 1))];
    const { life, closed } = live(events);
    let resumed = BookingLife.parse(BOOKING);
    const segments: Segment[] = [];
    for (const [revision, event] of events.entries()) {
      if (revision > 0) resumed = BookingLife.parse(BOOKING, stored(resumed));
      const appended = resumed.append(recorded(event, revision));
      if (appended.closed !== undefined) segments.push(appended.closed);
      resumed = appended.life;
    }
    expect(segments).toStrictEqual(closed);
    expect(stored(resumed)).toStrictEqual(stored(life));
    expect(resumed.booking).toStrictEqual(life.booking);
  });
});

test("a change of words that are erased by now is a change as before", () => {
  const party = [{ name: "[erased]", email: "erased@erased.invalid" }];
  const created = { ...CREATED, data: { ...CREATED.data, passengers: party, reference: "[erased]" } } as BookingEvent;
  const renamed: BookingEvent = {
    type: "BookingChanged",
    at: 2_000,
    data: { changeId: null, reference: "[erased]", passengers: party },
  };
  const { life } = live([created]);
  const { drafts } = life.append(recorded(renamed, 1));
  expect(drafts).toStrictEqual([
    {
      type: "booking.changed",
      previousAttributes: { passengers: party, reference: "[erased]" },
    },
  ]);
});
