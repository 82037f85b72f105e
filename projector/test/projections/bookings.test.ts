import { afterEach, describe, expect, test } from "@jest/globals";
import type { BookingBody, PaymentBody } from "@travel-booking/api-contract";
import { type BookingEvent, DAY } from "@travel-booking/domain";
import { bookings } from "../../src/projections/bookings/bookings.ts";
import { bookingAsOf, bookingsOf, historyOf, paymentAt } from "./kit/booking-answers.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
  cancelled,
  cardStarted,
  confirmed,
  created,
  failed,
  ofBooking,
  REFERENCE,
  REFUND,
  received,
  refundStarted,
  refundSucceeded,
  returnDue,
  returnOf,
  returnSent,
  succeeded,
  T0,
  TOTAL,
  TRANSFER_PAYMENT,
  transferStarted,
} from "./kit/booking-history.ts";
import { closeAll, DELIVERIES, deliver, type ProjectedModels } from "./kit/deliver.ts";

const SECOND_BOOKING = "bkg_00000000000000000000000000000002";

function booking(changes: Partial<BookingBody> = {}): BookingBody {
  return {
    id: BOOKING,
    status: "pending",
    cabin: "economy",
    flightId: "flt_1",
    passengers: [
      { name: "Ada Lovelace", email: "ada@example.com" },
      { name: "Bob Noyce", email: "bob@example.com" },
    ],
    totalAmount: TOTAL,
    currency: "USD",
    documents: [],
    seats: ["10A", "10B"],
    createdAt: "2027-01-03T10:00:00.000Z",
    ...changes,
  };
}

function cardPayment(changes: Partial<PaymentBody> = {}): PaymentBody {
  return {
    id: CARD_PAYMENT,
    bookingId: BOOKING,
    status: "pending",
    failureCode: null,
    failureMessage: null,
    amount: TOTAL,
    amountRefunded: 0,
    currency: "USD",
    method: {
      type: "card",
      card: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2031 },
      wallet: null,
      bankTransfer: null,
    },
    metadata: { order: "7" },
    refunds: [],
    createdAt: "2027-01-03T10:00:01.000Z",
    ...changes,
  };
}

const refund = {
  id: REFUND,
  paymentId: CARD_PAYMENT,
  amount: 500,
  currency: "USD",
  reason: "requested_by_customer",
  status: "pending",
  createdAt: "2027-01-03T10:00:03.000Z",
} as const;

const PAID = [created(), cardStarted(T0 + 1_000), succeeded(T0 + 2_000, CARD_PAYMENT), confirmed(T0 + 2_000)];

describe.each(DELIVERIES)("bookings, delivered %s", (delivery) => {
  let made: ProjectedModels;
  afterEach(closeAll);

  async function make(...events: BookingEvent[]): Promise<void> {
    made = await deliver(bookings, ofBooking(events), delivery);
  }

  test("a new booking is listed under its account, and true until it expires", async () => {
    const other = created(T0, { bookingId: SECOND_BOOKING, accountId: "acc_2" });
    made = await deliver(bookings, [...ofBooking([created()]), ...ofBooking([other], SECOND_BOOKING)], delivery);
    expect(await bookingsOf(made.models)).toStrictEqual([[ACCOUNT, booking()]]);
    expect(await bookingsOf(made.models, "acc_2")).toStrictEqual([["acc_2", booking({ id: SECOND_BOOKING })]]);
    const document = await made.document("bookings.booking", BOOKING);
    expect(document?.staleAt).toBe(T0 + DAY);
  });

  test("bookings are listed in the order they were created in, whatever happened since", async () => {
    const second = created(T0, { bookingId: SECOND_BOOKING });
    const history = [...ofBooking([created()]), ...ofBooking([second], SECOND_BOOKING), ...ofBooking(PAID.slice(1))];
    made = await deliver(bookings, history, delivery);
    expect(await bookingsOf(made.models)).toStrictEqual([
      [ACCOUNT, booking({ status: "confirmed" })],
      [ACCOUNT, booking({ id: SECOND_BOOKING })],
    ]);
  });

  test("a booking waits for a charge under way, and once confirmed is not moved by time", async () => {
    await make(...PAID.slice(0, 2));
    expect((await made.document("bookings.booking", BOOKING))?.staleAt).toBeNull();
    await make(...PAID);
    const document = await made.document("bookings.booking", BOOKING);
    expect(document?.staleAt).toBeNull();
    expect(document?.created).toBe(made.events.at(0)?.position);
    expect(document?.position).toBe(made.events.at(-1)?.position);
    expect(document?.body).toBe(JSON.stringify([ACCOUNT, booking({ status: "confirmed" })]));
  });

  test("a payment is there with its refunds", async () => {
    await make(...PAID);
    const afterPaying = T0 + 2_000;
    expect(await paymentAt(made.models, CARD_PAYMENT, afterPaying)).toStrictEqual(cardPayment({ status: "succeeded" }));
    const settlesAt = T0 + 3 * DAY;
    await make(...PAID, refundStarted(T0 + 3_000, CARD_PAYMENT, 500, settlesAt));
    const refunded = { status: "succeeded", amountRefunded: 500 } as const;
    expect(await paymentAt(made.models, CARD_PAYMENT, settlesAt - 1)).toStrictEqual(
      cardPayment({ ...refunded, refunds: [refund] }),
    );
    expect(await paymentAt(made.models, CARD_PAYMENT, settlesAt)).toStrictEqual(
      cardPayment({ ...refunded, refunds: [{ ...refund, status: "succeeded" }] }),
    );
  });

  test("every event that changes the booking leaves it as it is right after it", async () => {
    await make(...PAID);
    expect(await bookingAsOf(made.models, T0 - 1)).toBeUndefined();
    expect(await bookingAsOf(made.models, T0)).toStrictEqual(booking());
    expect(await bookingAsOf(made.models, T0 + 1_999)).toStrictEqual(booking());
    expect(await bookingAsOf(made.models, T0 + 2_000)).toStrictEqual(booking({ status: "confirmed" }));
  });

  test("history: who did what, and every visible field it changed", async () => {
    const change: BookingEvent = {
      type: "BookingChanged",
      at: T0 + 2_500,
      data: { changeId: null, reference: "trip 7", seats: ["11A", "11B"] },
    };
    const events = [...PAID, change, refundStarted(T0 + 3_000, CARD_PAYMENT, 500, null)];
    const operator = { actor: { kind: "operator", id: "operator" }, requestId: null } as const;
    const [last] = ofBooking([refundSucceeded(T0 + 4_000, CARD_PAYMENT)]);
    made = await deliver(bookings, [...ofBooking(events), [last![0], last![1], operator]], delivery);
    const entry = (revision: number, type: string, createdAt: string, changes: object) => ({
      id: made.events[revision]!.id,
      type,
      createdAt,
      actor: { kind: "credential", id: "crd_1" },
      requestId: "req_1",
      changes,
    });
    const from = (value: unknown, to: unknown) => ({ from: value, to });
    const { refunds: _, failureCode: __, failureMessage: ___, ...payment } = cardPayment();
    const fromNothing = (object: object) =>
      Object.fromEntries(Object.entries(object).map(([field, value]) => [field, from(null, value)]));
    expect(await historyOf(made.models)).toStrictEqual([
      entry(0, "booking.created", "2027-01-03T10:00:00.000Z", fromNothing(booking())),
      entry(1, "payment.created", "2027-01-03T10:00:01.000Z", { [`payments.${CARD_PAYMENT}`]: fromNothing(payment) }),
      entry(2, "payment.succeeded", "2027-01-03T10:00:02.000Z", {
        [`payments.${CARD_PAYMENT}`]: { status: from("pending", "succeeded") },
      }),
      entry(3, "booking.confirmed", "2027-01-03T10:00:02.000Z", { status: from("pending", "confirmed") }),
      entry(4, "booking.changed", "2027-01-03T10:00:02.500Z", {
        seats: from(["10A", "10B"], ["11A", "11B"]),
        reference: from(null, "trip 7"),
      }),
      entry(5, "refund.created", "2027-01-03T10:00:03.000Z", {
        [`payments.${CARD_PAYMENT}`]: { amountRefunded: from(0, 500) },
        [`refunds.${REFUND}`]: fromNothing(refund),
      }),
      {
        ...entry(6, "refund.succeeded", "2027-01-03T10:00:04.000Z", {
          [`refunds.${REFUND}`]: { status: from("pending", "succeeded") },
        }),
        ...operator,
      },
    ]);
  });

  test("nothing is shown of a booking that never came into being, nor of a closed seat change", async () => {
    const abandoned: BookingEvent = { type: "BookingAbandoned", at: T0, data: { bookingId: SECOND_BOOKING } };
    const closed: BookingEvent = { type: "SeatChangeClosed", at: T0 + 1, data: { changeId: "c1" } };
    made = await deliver(
      bookings,
      [...ofBooking([abandoned], SECOND_BOOKING), ...ofBooking([created(), closed])],
      delivery,
    );
    expect(await bookingsOf(made.models)).toStrictEqual([[ACCOUNT, booking()]]);
    expect(await made.document("bookings.booking", SECOND_BOOKING)).toBeUndefined();
    expect(((await historyOf(made.models)) as { type: string }[]).map(({ type }) => type)).toStrictEqual([
      "booking.created",
    ]);
  });
});

describe.each(DELIVERIES)("bank transfers, delivered %s", (delivery) => {
  let made: ProjectedModels;
  afterEach(closeAll);

  const STARTED = [created(), transferStarted(T0 + 1_000)];
  const [FIRST_AT, FIRST_TIME] = [T0 + 2_000, "2027-01-03T10:00:02.000Z"];
  const [LATER_AT, LATER_TIME] = [T0 + 3_000, "2027-01-03T10:00:03.000Z"];

  async function rows(...events: BookingEvent[]): Promise<readonly unknown[]> {
    made = await deliver(bookings, ofBooking([...STARTED, ...events]), delivery);
    return made.list("bookings.transfer", "newest", "all");
  }

  function row(id: string, amount: number, status: string, createdAt: string) {
    const names = { id, reference: REFERENCE, paymentId: TRANSFER_PAYMENT, bookingId: BOOKING, accountId: ACCOUNT };
    return { ...names, amount, currency: "USD", status, createdAt };
  }

  test("a reference names its payment; the payment is true until it is due", async () => {
    expect(await rows()).toStrictEqual([]);
    const reference = await made.document("bookings.transferReference", REFERENCE);
    expect(reference?.state).toStrictEqual({ accountId: ACCOUNT, bookingId: BOOKING, paymentId: TRANSFER_PAYMENT });
    const dueAt = T0 + 1_000 + 3 * DAY;
    expect((await paymentAt(made.models, TRANSFER_PAYMENT, dueAt - 1))?.status).toBe("pending");
    expect((await paymentAt(made.models, TRANSFER_PAYMENT, dueAt))?.status).toBe("failed");
    expect((await made.document("bookings.booking", BOOKING))?.staleAt).toBe(dueAt);
  });

  test("money is partial until the payment has succeeded; what is too much goes back", async () => {
    const partial = received(FIRST_AT, "e1", 6_500, 6_500);
    expect(await rows(partial)).toStrictEqual([row("e1", 6_500, "partial", FIRST_TIME)]);
    const rest = [
      received(LATER_AT, "e2", TOTAL, TOTAL - 6_500),
      returnDue(LATER_AT, "e2", 6_500, "excess"),
      succeeded(LATER_AT, TRANSFER_PAYMENT),
      confirmed(LATER_AT),
    ];
    const [e1, e2] = [row("e1", 6_500, "applied", FIRST_TIME), row("e2", TOTAL - 6_500, "applied", LATER_TIME)];
    expect(await rows(partial, ...rest)).toStrictEqual([e1, e2, row(returnOf("e2"), 6_500, "to_return", LATER_TIME)]);
    expect(await rows(partial, ...rest, returnSent(LATER_AT + 1, "e2"))).toStrictEqual([
      e1,
      e2,
      row(returnOf("e2"), 6_500, "returned", LATER_TIME),
    ]);
  });

  test("a transfer is expected, less what has come, until its payment is settled", async () => {
    const expected = async (...events: Parameters<typeof rows>) => {
      await rows(...events);
      return made.list("bookings.expectedTransfer", "oldest", "all");
    };
    const row = (amount: number) => ({
      id: TRANSFER_PAYMENT,
      reference: REFERENCE,
      bookingId: BOOKING,
      accountId: ACCOUNT,
      amount,
      currency: "USD",
      createdAt: "2027-01-03T10:00:01.000Z",
    });
    const partial = received(FIRST_AT, "e1", 6_500, 6_500);
    expect(await expected()).toStrictEqual([row(TOTAL)]);
    expect(await expected(partial)).toStrictEqual([row(TOTAL - 6_500)]);
    const rest = received(LATER_AT, "e2", TOTAL - 6_500, TOTAL - 6_500);
    expect(await expected(partial, rest, succeeded(LATER_AT, TRANSFER_PAYMENT))).toStrictEqual([]);
    expect(await expected(failed(LATER_AT, TRANSFER_PAYMENT, "bank_transfer_expired"))).toStrictEqual([]);
  });

  test("what a failed transfer was given goes back whole, each cent in one row", async () => {
    const events = [
      received(FIRST_AT, "e1", 6_500, 6_500),
      failed(LATER_AT, TRANSFER_PAYMENT, "booking_cancelled"),
      returnDue(LATER_AT, "e1", 6_500, "cancelled"),
      cancelled(LATER_AT),
    ];
    expect(await rows(...events)).toStrictEqual([row(returnOf("e1"), 6_500, "to_return", LATER_TIME)]);
    const late = [received(LATER_AT + 1, "e3", 100, 0), returnDue(LATER_AT + 1, "e3", 100, "cancelled")];
    expect(await rows(...events, ...late)).toStrictEqual([
      row(returnOf("e1"), 6_500, "to_return", LATER_TIME),
      row(returnOf("e3"), 100, "to_return", "2027-01-03T10:00:03.001Z"),
    ]);
  });

  test("the history shows money come and gone", async () => {
    await rows(received(FIRST_AT, "e1", 100, 0), returnDue(FIRST_AT, "e1", 100, "late"), returnSent(LATER_AT, "e1"));
    const entries = (await historyOf(made.models)) as { type: string; changes: unknown }[];
    const from = (value: unknown, to: unknown) => ({ from: value, to });
    const facts = { paymentId: from(null, TRANSFER_PAYMENT), amount: from(null, 100), currency: from(null, "USD") };
    expect(entries.slice(2).map(({ type, changes }) => ({ type, changes }))).toStrictEqual([
      { type: "transfer.received", changes: { "transfers.e1": { ...facts, applied: from(null, 0) } } },
      {
        type: "return.due",
        changes: { [`returns.${returnOf("e1")}`]: { ...facts, cause: from(null, "late"), status: from(null, "due") } },
      },
      { type: "return.sent", changes: { [`returns.${returnOf("e1")}`]: { status: from("due", "sent") } } },
    ]);
  });
});
