import { afterEach, describe, expect, test } from "@jest/globals";
import type { BookingBody, PaymentBody } from "@travel-booking/api-contract";
import { type BookingEvent, DAY } from "@travel-booking/domain";
import { bookings } from "../../src/projections/bookings/bookings.ts";
import { bookingsOf, historyOf } from "./kit/booking-answers.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
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

  test("a new booking is listed under its account, and true until it expires", async () => {
    const other = created(T0, { bookingId: SECOND_BOOKING, accountId: "acc_2" });
    made = await deliver(bookings, [...ofBooking([created()]), ...ofBooking([other], SECOND_BOOKING)], delivery);
    expect(await bookingsOf(made.models)).toStrictEqual([[ACCOUNT, booking()]]);
    expect(await bookingsOf(made.models, "acc_2")).toStrictEqual([["acc_2", booking({ id: SECOND_BOOKING })]]);
    const document = await made.document("bookings.booking", BOOKING);
    expect(document?.staleAt).toBe(T0 + DAY);
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
  const [FIRST_AT, LATER_AT] = [T0 + 2_000, T0 + 3_000];

  async function rows(...events: BookingEvent[]): Promise<readonly unknown[]> {
    made = await deliver(bookings, ofBooking([...STARTED, ...events]), delivery);
    return made.list("bookings.transfer", "newest", "all");
  }

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
});
