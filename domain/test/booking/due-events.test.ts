import { describe, expect, test } from "@jest/globals";
import { bookingAt, bookingDecider, DAY, dueEvents, fold, nextEventDueAt, refundsOf } from "../../src/index.ts";
import {
  BOOKING,
  CARD_PAYMENT,
  cancelled,
  created,
  failed,
  given,
  paid,
  paidByTransfer,
  REFUND,
  received,
  refundStarted,
  returnDue,
  started,
  T0,
  TRANSFER_PAYMENT,
  transferStarted,
} from "./fixtures.ts";

const expire = { type: "ExpireBooking" } as const;

describe("what lapses by the clock", () => {
  test("an unpaid booking, from its expiry on", () => {
    given([created()])
      .when(expire, T0 + DAY - 1)
      .then([]);
    given([created()])
      .when(expire, T0 + DAY)
      .then([cancelled(T0 + DAY, "expired")]);
    given([created(), cancelled(T0 + DAY, "expired")])
      .when(expire, T0 + 2 * DAY)
      .then([]);
  });

  test("a week late it is recorded when it is found", () => {
    given([created()])
      .when(expire, T0 + 8 * DAY)
      .then([cancelled(T0 + 8 * DAY, "expired")]);
  });

  test("a bank transfer that was not paid in time, and the booking with it", () => {
    const due = T0 + 1 + 3 * DAY;
    const waiting = [created(), transferStarted(T0 + 1), received(T0 + 2, "e1", 5, 5), received(T0 + 3, "e2", 6, 6)];
    given(waiting)
      .when(expire, due - 1)
      .then([]);
    given(waiting)
      .when(expire, due)
      .then([
        failed(due, "bank_transfer_expired", TRANSFER_PAYMENT),
        returnDue(due, "e1", 5, "expired"),
        returnDue(due, "e2", 6, "expired"),
        cancelled(due, "transfer_expired"),
      ]);
  });

  test("nothing of a paid booking, or of none", () => {
    given(paid())
      .when(expire, T0 + 400 * DAY)
      .then([]);
    given([]).when(expire, T0).then([]);
    given([{ type: "BookingAbandoned", at: T0, data: { bookingId: BOOKING } }])
      .when(expire, T0 + 1)
      .then([]);
  });

  test("it is recorded even where the command is refused", () => {
    given([created()])
      .when({ type: "SettleRefund", refundId: REFUND }, T0 + DAY)
      .thenRejected("refund_not_found", [cancelled(T0 + DAY, "expired")]);
  });
});

describe("reading with the clock applied", () => {
  test("shows what has lapsed and leaves the state alone", () => {
    const state = given([created()]).state();
    expect(bookingAt(state, T0 + DAY - 1)).toBe(state);
    expect(bookingAt(state, T0 + DAY)).toStrictEqual(given([created(), cancelled(T0 + DAY, "expired")]).state());
    expect(state).toStrictEqual(given([created()]).state());
    expect(dueEvents(state, T0 + DAY)).toStrictEqual([cancelled(T0 + DAY, "expired")]);
  });

  test("knows when the next thing lapses", () => {
    const settlesAt = T0 + 5 * DAY;
    const next = (events: Parameters<typeof given>[0]) => nextEventDueAt(given(events).state());
    expect(next([])).toBeNull();
    expect(next([created()])).toBe(T0 + DAY);
    expect(next([created(), started(T0 + 1)])).toBeNull();
    expect(next([created(), transferStarted(T0 + 1), started(T0 + 2)])).toBe(T0 + 1 + 3 * DAY);
    expect(next(paid())).toBeNull();
    expect(next([...paid(), refundStarted(T0 + 2, CARD_PAYMENT, REFUND, 1, "other")])).toBeNull();
    expect(next([...paidByTransfer(), refundStarted(T0 + 2, TRANSFER_PAYMENT, REFUND, 1, "other", settlesAt)])).toBe(
      settlesAt,
    );
    expect(next([created(), cancelled(T0 + 1)])).toBeNull();
  });
});

describe("a history that cannot be", () => {
  test.each([
    ["a confirmation before any creation", [{ type: "BookingConfirmed", at: T0, data: { bookingId: BOOKING } }]],
    ["a second cancellation", [created(), cancelled(T0 + 1), cancelled(T0 + 2)]],
    [
      "a confirmation after a cancellation",
      [created(), cancelled(T0 + 1), { type: "BookingConfirmed", at: T0, data: { bookingId: BOOKING } }],
    ],
    ["the failure of no payment", [created(), failed(T0 + 1, "card_declined")]],
    ["a return sent that was never due", [created(), { type: "ReturnSent", at: T0, data: { returnId: "ret_1" } }]],
    ["a kind of event nobody knows", [created(), { type: "BookingEaten", at: T0, data: {} }]],
  ])("%s is not folded as if whole", (_, events) => {
    expect(() => given(events as never).state()).toThrow();
  });

  describe("very many refunds at once", () => {
    const settlesAt = T0 + 4 * DAY;
    const owed = Array.from({ length: 300 }, (_, index) =>
      refundStarted(T0 + DAY, TRANSFER_PAYMENT, `rfd_${index}`, 1, "requested_by_customer", settlesAt),
    );
    const refunding = () => fold(bookingDecider, [...paidByTransfer(), ...owed]);

    test("a part is recorded at a time; all of them read as settled", () => {
      const shown = bookingAt(refunding(), settlesAt);
      expect(refundsOf(shown).map(({ status }) => status)).toStrictEqual(new Array(300).fill("succeeded"));
      let state = refunding();
      for (const most of [256, 44, 0]) {
        const { events } = bookingDecider.decide(expire, state, settlesAt);
        expect(events.map(({ type }) => type)).toStrictEqual(new Array(most).fill("RefundSucceeded"));
        for (const event of events) state = bookingDecider.evolve(state, event);
      }
    });

    test("one that is asked for by name is recorded before its turn", () => {
      const settle = { type: "SettleRefund", refundId: "rfd_299" } as const;
      const { events } = bookingDecider.decide(settle, refunding(), settlesAt);
      expect(events).toHaveLength(257);
      expect(events.at(-1)).toMatchObject({ type: "RefundSucceeded", data: { refundId: "rfd_299" } });
    });
  });

  test("a copy goes its own way", () => {
    const state = fold(bookingDecider, paid());
    const copy = bookingDecider.copy?.(state);
    bookingDecider.evolve(state, refundStarted(T0 + DAY, CARD_PAYMENT, "rfd_1", 1, "other"));
    expect(copy).toStrictEqual(fold(bookingDecider, paid()));
  });
});
