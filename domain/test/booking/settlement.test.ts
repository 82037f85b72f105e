import { expect, test } from "@jest/globals";
import {
  type BookingEvent,
  bookingDecider,
  contradictionsOf,
  type FlightChange,
  fold,
  HOUR,
  resultBy,
  settlementOf,
} from "../../src/index.ts";
import {
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  created,
  DEPARTS_AT,
  flightCancelled,
  OTHER_AUTOMATIC_REFUND,
  OTHER_PAYMENT,
  paid,
  received,
  refundStarted,
  started,
  succeeded,
  T0,
  TOTAL,
  transferStarted,
} from "./fixtures.ts";

const AT = T0 + HOUR;
const change = flightCancelled();

function followed(before: readonly BookingEvent[]): readonly BookingEvent[] {
  const { events } = bookingDecider.decide(
    { type: "FollowFlight", flightId: "flt_1", changes: [change] },
    fold(bookingDecider, before),
    AT,
  );
  return [...before, ...events];
}

function sums(history: readonly BookingEvent[]) {
  const settlement = settlementOf(history, "dis_1");
  const { kept, due, paid: arrived, left } = settlement;
  return { outcome: settlement.case?.outcome, kept, due, paid: arrived, left, wrong: contradictionsOf(settlement) };
}

const none = { outcome: "refunded", kept: 0, due: 0, paid: 0, left: 0, wrong: [] };

test("what was paid and not refunded is due, and paid once it has arrived", () => {
  const early = refundStarted(T0 + 2, CARD_PAYMENT, "rfd_1", 500, "other");
  const history = followed([...paid(), early]);
  const money = { ...none, kept: TOTAL - 500, due: TOTAL - 500 };
  expect(sums(history)).toStrictEqual(money);
  const arrived: BookingEvent = {
    type: "RefundSucceeded",
    at: AT + 1,
    data: { refundId: CARD_REFUND, paymentId: CARD_PAYMENT },
  };
  expect(sums([...history, arrived])).toStrictEqual({ ...money, paid: money.due });
});

test("a second charge that went back before is not due by the disruption", () => {
  const second = refundStarted(T0 + 3, CARD_PAYMENT, CARD_REFUND, TOTAL, "duplicate");
  expect(sums(followed([...paid(), second])).due).toBe(0);
});

test("a charge that succeeds later, and the money of a transfer, are due", () => {
  const open = followed([created(), started(T0 + 1)]);
  expect(sums(open)).toStrictEqual(none);
  const late = bookingDecider.decide(
    { type: "RecordPaymentOutcome", paymentId: CARD_PAYMENT, outcome: { status: "succeeded" } },
    fold(bookingDecider, open),
    AT + 1,
  );
  expect(sums([...open, ...late.events])).toStrictEqual({ ...none, due: TOTAL });
  const transfer = followed([created(), transferStarted(T0 + 1), received(T0 + 2, "e1", 500, 500)]);
  expect(sums(transfer)).toStrictEqual({ ...none, due: 500 });
});

test("what went back before, of a charge that was found too late, is not due by the disruption", () => {
  const refund = refundStarted(T0 + 4, OTHER_PAYMENT, OTHER_AUTOMATIC_REFUND, TOTAL, "other");
  const found = [started(T0 + 2, OTHER_PAYMENT), succeeded(T0 + 3, OTHER_PAYMENT), refund];
  const history = followed([created(), ...found, ...paid().slice(1)]);
  expect(sums(history)).toStrictEqual({ ...none, kept: TOTAL, due: TOTAL });
});

test("a booking that was over before has no case", () => {
  const over = followed([created(), cancelled(T0 + 1)]);
  expect(sums(over)).toStrictEqual({ ...none, outcome: undefined });
  expect(settlementOf(over, "dis_1").booking.status).toBe("cancelled");
});

test("money that stays, and another amount than was told, do not add up", () => {
  const history = followed(paid());
  const lost = history.filter(({ type }) => type !== "RefundStarted");
  expect(sums(lost).wrong).toStrictEqual([`${TOTAL} cents have not gone back`]);
  const less = history.map(
    (event): BookingEvent =>
      event.type === "CaseResolved" ? { ...event, data: { ...event.data, refundAmount: 1 } } : event,
  );
  expect(sums(less).wrong).toStrictEqual([`it was told of 1 cents, and had paid ${TOTAL}`]);
});

test("a disruption that has left the booking as it was gives nothing back, whatever a later one does", () => {
  const times = (departsAt: number) => ({ departsAt, durationDays: 480 });
  const retimed: FlightChange = {
    ...{ disruptionId: "dis_1", kind: "retimed", revision: 1, reason: null, at: AT },
    tolerance: { earlier: HOUR, later: 3 * HOUR },
    ...{ before: times(DEPARTS_AT), after: times(DEPARTS_AT + HOUR) },
  };
  const cancelling: FlightChange = { ...change, disruptionId: "dis_2", revision: 2, before: retimed.after };
  const state = fold(bookingDecider, paid());
  const { events } = bookingDecider.decide(
    { type: "FollowFlight", flightId: "flt_1", changes: [retimed, cancelling] },
    state,
    AT,
  );
  const history = [...paid(), ...events];
  expect(sums(history)).toStrictEqual({ ...none, outcome: null, kept: TOTAL });
  expect(settlementOf(history, "dis_2").due).toBe(TOTAL);
});

test("a case that another disruption has taken over: the money goes back because of that one alone", () => {
  const times = (departsAt: number) => ({ departsAt, durationDays: 480 });
  const retimed: FlightChange = {
    ...{ disruptionId: "dis_1", kind: "retimed", revision: 1, reason: null, at: AT },
    tolerance: { earlier: HOUR, later: 3 * HOUR },
    ...{ before: times(DEPARTS_AT), after: times(DEPARTS_AT + 4 * HOUR) },
  };
  const cancelling: FlightChange = { ...change, disruptionId: "dis_2", revision: 2, before: retimed.after };
  const state = fold(bookingDecider, paid());
  const { events } = bookingDecider.decide(
    { type: "FollowFlight", flightId: "flt_1", changes: [retimed, cancelling] },
    state,
    AT,
  );
  const results = ["dis_1", "dis_2"].map((id) => {
    const settlement = settlementOf([...paid(), ...events], id);
    return [settlement.due, settlement.case && resultBy(id, settlement.case)];
  });
  expect(results).toStrictEqual([
    [0, { status: "superseded", outcome: null, refundAmount: 0 }],
    [TOTAL, { status: "resolved", outcome: "refunded", refundAmount: TOTAL }],
  ]);
});
