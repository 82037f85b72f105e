import { afterEach, describe, expect, test } from "@jest/globals";
import { type BookingEvent, SECOND } from "@travel-booking/domain";
import { ALL_PARTITION, BOOKINGS } from "@travel-booking/read-models";
import { bookings } from "../../src/projections/bookings/bookings.ts";
import { historyOf } from "./kit/booking-answers.ts";
import { ACCOUNT, BOOKING, created, ofBooking, T0 } from "./kit/booking-history.ts";
import { closeAll, DELIVERIES, deliver } from "./kit/deliver.ts";

const PAYMENT = "pay_0123456789abcdef0123456789abcdef00000000000a";
const ids = { paymentId: PAYMENT };
const money = { amount: 100, currency: "USD" };
const at = (second: number) => T0 + second * SECOND;
const card = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2099 };
const PAID: readonly BookingEvent[] = [
  created(),
  {
    type: "PaymentStarted",
    at: at(1),
    data: { ...ids, ...money, method: { type: "card", card, saveCard: false }, metadata: [] },
  },
  { type: "PaymentSucceeded", at: at(2), data: ids },
  { type: "BookingConfirmed", at: at(2), data: { bookingId: BOOKING } },
];
const started = (refundId: string, second: number): BookingEvent => ({
  type: "RefundStarted",
  at: at(second),
  data: { ...ids, refundId, amount: 10, currency: "USD", reason: "duplicate", settlesAt: null },
});
const failed: BookingEvent = {
  type: "RefundFailed",
  at: at(5),
  data: { ...ids, refundId: "rfd_1", attempt: 1, reason: "declined" },
};
const retried: BookingEvent = { type: "RefundRetried", at: at(6), data: { ...ids, refundId: "rfd_1", attempt: 2 } };
const arrived: BookingEvent = { type: "RefundSucceeded", at: at(7), data: { ...ids, refundId: "rfd_1" } };
const dispute = { disputeId: "dp_1", amount: 100, currency: "USD", reason: "fraudulent" };
const disputed = (status: string, second: number): BookingEvent => ({
  type: "PaymentDisputed",
  at: at(second),
  data: { ...ids, ...dispute, status },
});

const row = (id: string, second: number, changes: object = {}) => ({
  id,
  paymentId: PAYMENT,
  bookingId: BOOKING,
  accountId: ACCOUNT,
  amount: 10,
  currency: "USD",
  status: "pending",
  failureReason: null,
  createdAt: new Date(at(second)).toISOString(),
  ...changes,
});

describe.each(DELIVERIES)("a payment whose token the gateway did not know, delivered %s", (delivery) => {
  afterEach(closeAll);
  const begun = PAID[1] as BookingEvent;
  const ended: BookingEvent = { type: "PaymentWithdrawn", at: at(2), data: ids };
  const types = async (events: readonly BookingEvent[]) => {
    const store = await deliver(bookings, ofBooking(events), delivery);
    return ((await historyOf(store.models)) as { readonly type: string }[]).map(({ type }) => type);
  };

  test("is in no history", async () => {
    expect(await types([created(), begun, ended])).toStrictEqual(["booking.created"]);
  });

  test("nor in a long one, wherever its segments end", async () => {
    for (const before of [61, 62, 63, 64]) {
      for (const between of [0, 1, 70]) {
        const changes = (count: number) =>
          Array.from({ length: count }, (_, index): BookingEvent => {
            return { type: "BookingChanged", at: at(1), data: { changeId: null, reference: `r${index}` } };
          });
        const shown = await types([created(), ...changes(before), begun, ...changes(between), ended, ...changes(70)]);
        const changed = before + between + 70;
        expect(shown).toStrictEqual(["booking.created", ...Array.from({ length: changed }, () => "booking.changed")]);
      }
    }
  });
});

describe.each(DELIVERIES)("refunds and disputes delivered %s", (delivery) => {
  afterEach(closeAll);

  const listAfter = async (
    model: { readonly model: string; readonly oldest: string },
    events: readonly BookingEvent[],
  ) =>
    (await deliver(bookings, ofBooking([...PAID, ...events]), delivery)).list(model.model, model.oldest, ALL_PARTITION);

  test("refunds are listed until they have arrived, failed ones with the reason", async () => {
    const both = [started("rfd_1", 3), started("rfd_2", 4)];
    const other = row("rfd_2", 4);
    expect(await listAfter(BOOKINGS.refund, both)).toStrictEqual([row("rfd_1", 3), other]);
    expect(await listAfter(BOOKINGS.refund, [...both, failed])).toStrictEqual([
      row("rfd_1", 3, { status: "failed", failureReason: "declined" }),
      other,
    ]);
    expect(await listAfter(BOOKINGS.refund, [...both, failed, retried])).toStrictEqual([row("rfd_1", 3), other]);
    expect(await listAfter(BOOKINGS.refund, [...both, failed, retried, arrived])).toStrictEqual([other]);
  });

  test("one that fails after it had arrived is listed again", async () => {
    expect(await listAfter(BOOKINGS.refund, [started("rfd_1", 3), { ...arrived, at: at(4) }, failed])).toStrictEqual([
      row("rfd_1", 3, { status: "failed", failureReason: "declined" }),
    ]);
  });

  test("disputes are listed once, as they stand", async () => {
    expect(await listAfter(BOOKINGS.dispute, [disputed("needs_response", 3), disputed("lost", 4)])).toStrictEqual([
      {
        id: "dp_1",
        paymentId: PAYMENT,
        bookingId: BOOKING,
        accountId: ACCOUNT,
        amount: 100,
        currency: "USD",
        reason: "fraudulent",
        status: "lost",
        changedAt: new Date(at(4)).toISOString(),
      },
    ]);
  });

  test("the history tells of both, and not of a refund that is on its way", async () => {
    const awaited: BookingEvent = { type: "RefundAwaited", at: at(4), data: { ...ids, refundId: "rfd_1", checks: 1 } };
    const events = [...PAID, started("rfd_1", 3), awaited, failed, retried, disputed("needs_response", 8)];
    const made = await deliver(bookings, ofBooking(events), delivery);
    const history = (await historyOf(made.models)).slice(-3) as readonly {
      readonly type: string;
      readonly changes: object;
    }[];
    expect(history.map(({ type, changes }) => ({ type, changes }))).toStrictEqual([
      { type: "refund.failed", changes: { "refunds.rfd_1": { failureReason: { from: null, to: "declined" } } } },
      { type: "refund.retried", changes: { "refunds.rfd_1": { failureReason: { from: "declined", to: null } } } },
      {
        type: "payment.disputed",
        changes: {
          "disputes.dp_1": {
            paymentId: { from: null, to: PAYMENT },
            amount: { from: null, to: 100 },
            currency: { from: null, to: "USD" },
            reason: { from: null, to: "fraudulent" },
            status: { from: null, to: "needs_response" },
          },
        },
      },
    ]);
  });
});
