import { describe, expect, test } from "@jest/globals";
import {
  type BookingCommand,
  type BookingEvent,
  bookingDecider,
  bookingFollowing,
  bookingOf,
  type CaseRevised,
  cancellationQuote,
  caseIdOf,
  casesOf,
  DAY,
  type ExistingBooking,
  type FlightChange,
  fold,
  HOUR,
  hasFollowed,
  type RefundStarted,
} from "../../src/index.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  confirmed,
  created,
  DEPARTED,
  DEPARTS_AT,
  failed,
  flightCancelled,
  given,
  JOURNEY,
  NO_POINTS,
  paid,
  paidByTransfer,
  pay,
  pendingPoints,
  received,
  refundStarted,
  returnDue,
  started,
  succeeded,
  T0,
  TOTAL,
  TRANSFER_AUTOMATIC_REFUND,
  TRANSFER_PAYMENT,
  transferStarted,
} from "./fixtures.ts";

const AT = T0 + HOUR;
const CASE = caseIdOf(BOOKING, 1);
const change = flightCancelled({ reason: "engine" });
const follow: BookingCommand = { type: "FollowFlight", flightId: "flt_1", changes: [change] };

const opened = (at = AT): BookingEvent => {
  const decided = {
    caseId: CASE,
    disruptionId: "dis_1",
    kind: "cancelled",
    reason: "engine",
    flightRevision: 1,
  } as const;
  return { type: "BookingDisrupted", at, data: { ...decided, significant: true, before: JOURNEY, after: null } };
};
const resolved = (refundAmount: number, at = AT): BookingEvent => {
  return { type: "CaseResolved", at, data: { caseId: CASE, outcome: "refunded", refundAmount } };
};
const refund = (amount: number, at = AT, points = NO_POINTS): RefundStarted =>
  refundStarted(at, CARD_PAYMENT, CARD_REFUND, amount, "flight_cancelled", null, points);
const ended = (at = AT) => cancelled(at, "flight_cancelled");

describe("a booking whose flight is cancelled", () => {
  test("is told, resolved and cancelled, and everything that was paid goes back", () => {
    given(paid())
      .when(follow, AT)
      .then([opened(), resolved(TOTAL), ended(), refund(TOTAL)]);
  });

  test("also less than a day before departure, whatever was refunded before", () => {
    const at = DEPARTS_AT - HOUR;
    const before = [
      ...paid(),
      refundStarted(T0 + 2, CARD_PAYMENT, "rfd_1", 500, "other", null, pendingPoints(2_065, 2_060)),
    ];
    given(before)
      .when({ type: "FollowFlight", flightId: "flt_1", changes: [{ ...change, at }] }, at)
      .then([opened(at), resolved(TOTAL - 500, at), ended(at), refund(TOTAL - 500, at, pendingPoints(2_060, 0))]);
  });

  test("unpaid, it is cancelled at once; a transfer fails and its money goes back to the sender", () => {
    given([created()])
      .when(follow, AT)
      .then([opened(), resolved(0), ended()]);
    given([created(), transferStarted(T0 + 1), received(T0 + 2, "e1", 500, 500)])
      .when(follow, AT)
      .then([
        opened(),
        resolved(0),
        failed(AT, "booking_cancelled", TRANSFER_PAYMENT),
        returnDue(AT, "e1", 500, "cancelled"),
        ended(),
      ]);
  });

  test("a transfer that is paid is refunded as ever", () => {
    given(paidByTransfer())
      .when(follow, AT)
      .then([
        opened(),
        resolved(TOTAL),
        ended(),
        refundStarted(
          AT,
          TRANSFER_PAYMENT,
          TRANSFER_AUTOMATIC_REFUND,
          TOTAL,
          "flight_cancelled",
          T0 + 3 * DAY + HOUR,
          NO_POINTS,
        ),
      ]);
  });

  test("its credit goes back", () => {
    const creditGivenUp = { accountId: ACCOUNT, creditId: `${BOOKING}/cancelled`, amount: 500 };
    given([created({ creditApplied: 500, totalAmount: TOTAL - 500 })])
      .when(follow, AT)
      .then([opened(), resolved(0), cancelled(AT, "flight_cancelled", null, { creditGivenUp })]);
  });

  test("the account gets back what it spent on baggage, lounge or upgrade, and no points for credit", () => {
    const rewarded = (reward: "extra_baggage" | "lounge_access"): BookingEvent => {
      return { type: "RewardAdded", at: T0 + 1, data: { redemptionId: `red_${reward}`, reward } };
    };
    const upgraded: BookingEvent = {
      type: "CabinUpgraded",
      at: T0 + 1,
      data: { redemptionId: "red_1", cabin: "business" },
    };
    for (const spent of [[rewarded("extra_baggage"), rewarded("lounge_access")], [upgraded]]) {
      const { events } = bookingDecider.decide(follow, fold(bookingDecider, [...paid(), ...spent]), AT);
      expect(events.find(({ type }) => type === "BookingCancelled")?.data).toStrictEqual({
        ...ended().data,
        pointsBackTo: ACCOUNT,
      });
    }
    const credit: BookingEvent = {
      type: "CreditApplied",
      at: T0 + 1,
      data: { redemptionId: "red_1", amount: 500, totalAmount: TOTAL - 500 },
    };
    const creditGivenUp = { accountId: ACCOUNT, creditId: `${BOOKING}/cancelled`, amount: 500 };
    given([created(), credit])
      .when(follow, AT)
      .then([opened(), resolved(0), cancelled(AT, "flight_cancelled", null, { creditGivenUp })]);
  });

  test("it follows once, and not at all if it is over or made since", () => {
    const followed = [...paid(), opened(), resolved(TOTAL), ended(), refund(TOTAL)];
    given(followed)
      .when(follow, AT + 1)
      .then([]);
    given([created(), cancelled(T0 + 1)])
      .when(follow, AT)
      .then([]);
    given([created({ flightRevision: 1 })])
      .when(follow, AT)
      .then([]);
    given([]).when(follow, AT).then([]);
    given([{ type: "BookingAbandoned", at: T0, data: { bookingId: BOOKING } }])
      .when(follow, AT)
      .then([]);
  });

  test("what had lapsed by the flight's decision comes first", () => {
    const late = { ...change, at: T0 + DAY };
    given([created()])
      .when({ type: "FollowFlight", flightId: "flt_1", changes: [late] }, T0 + 2 * DAY)
      .then([cancelled(T0 + 2 * DAY, "expired")]);
    given([created()])
      .when(follow, T0 + 2 * DAY)
      .then([opened(T0 + 2 * DAY), resolved(0, T0 + 2 * DAY), ended(T0 + 2 * DAY)]);
  });

  test("swept only after departure, it has not flown: its points were pending, and it earns none", () => {
    const at = DEPARTS_AT + HOUR;
    given(paid())
      .when(follow, at)
      .then([opened(at), resolved(TOTAL, at), ended(at), refund(TOTAL, at)]);
    given([...paid(), opened(), resolved(TOTAL), ended(), refund(TOTAL)])
      .when({ type: "RecordDeparture" }, at)
      .then([]);
    const flown: BookingEvent = {
      type: "BookingFlown",
      at: DEPARTS_AT,
      data: { accountId: ACCOUNT, amount: TOTAL, pending: TOTAL / 100 },
    };
    given([...paid(), flown])
      .when(follow, at)
      .then([opened(at), resolved(TOTAL, at), ended(at), refund(TOTAL, at, DEPARTED)]);
  });
});

test("a booking that was cancelled before its flight earns at departure what its cancellation left it", () => {
  const events = [...paid(), cancelled(AT, "requested", null, { keepsPoints: true })];
  given(events)
    .when(follow, AT + 1)
    .then([]);
  const at = DEPARTS_AT + HOUR;
  const departed = bookingDecider.decide({ type: "RecordDeparture" }, fold(bookingDecider, events), at, () => [change]);
  expect(departed.events.map(({ type }) => type)).toStrictEqual(["BookingFlown"]);
});

describe("a command on a booking whose flight is cancelled", () => {
  const decide = (events: readonly BookingEvent[], command: BookingCommand, flightId = "flt_1") =>
    bookingDecider.decide(command, fold(bookingDecider, events), AT, (id) => (id === flightId ? [change] : []));

  test.each<[string, BookingCommand]>([
    ["paying", pay()],
    ["changing it", { type: "ChangeBooking", accountId: ACCOUNT, reference: "new" }],
    ["a reward", { type: "AddReward", accountId: ACCOUNT, redemptionId: "red_1", reward: "lounge_access" }],
  ])("%s: it follows in the same append, and the command is refused", (_, command) => {
    expect(decide([created()], command)).toStrictEqual({
      events: [opened(), resolved(0), ended()],
      rejection: { code: "flight_cancelled" },
    });
    expect(decide([created()], command, "flt_2").events).not.toContainEqual(opened());
  });

  test("cancelling it: the flight's cancellation comes first, so all goes back", () => {
    const { events, rejection } = decide(paid(), { type: "CancelBooking", accountId: ACCOUNT, reason: "mine" });
    expect({ events, rejection }).toStrictEqual({
      events: [opened(), resolved(TOTAL), ended(), refund(TOTAL)],
      rejection: undefined,
    });
  });

  test("cancelling what would lose something: the flight is read first, and its cancellation gives all back", () => {
    const cancel = { type: "CancelBooking", accountId: ACCOUNT, reason: "mine" } as const;
    const unread = { code: "flight_unread", facts: { flightId: "flt_1" } } as const;
    const late = DEPARTS_AT - HOUR;
    const news = [{ ...change, at: late }];
    given(paid()).when(cancel, late).thenRejected(unread);
    given(paid())
      .when({ ...cancel, changes: news }, late)
      .then([opened(late), resolved(TOTAL, late), ended(late), refund(TOTAL, late)]);
    // Points spent on what a cancelled flight never delivers.
    const baggage = { redemptionId: "red_1", reward: "extra_baggage" } as const;
    const rewarded: BookingEvent[] = [created(), { type: "RewardAdded", at: T0 + 1, data: baggage }];
    const back = { pointsBackTo: ACCOUNT };
    given(rewarded).when(cancel, AT).thenRejected(unread);
    given(rewarded)
      .when({ ...cancel, changes: [change] }, AT)
      .then([opened(), resolved(0), cancelled(AT, "flight_cancelled", null, back)]);
    given(rewarded)
      .when({ ...cancel, changes: [] }, AT)
      .then([cancelled(AT, "requested", "mine")]);
  });

  test("the quote is what cancelling gives back then, and the booking is read as it has followed", () => {
    const at = DEPARTS_AT - HOUR;
    const credited = created({ creditApplied: 500, totalAmount: TOTAL - 500 });
    for (const [events, refundAmount, credit] of [
      [paid(), TOTAL, 0],
      [[credited, started(at)], 0, 500],
    ] as const) {
      const booking = bookingOf(fold(bookingDecider, events), ACCOUNT) as ExistingBooking;
      expect(cancellationQuote(booking, at)).toStrictEqual({ refundAmount: 0, credit: 0 });
      expect(cancellationQuote(booking, at, [change])).toStrictEqual({ refundAmount, credit });
      const followed = bookingFollowing(booking, at, [change]);
      expect([booking.status === "cancelled", followed.status]).toStrictEqual([false, "cancelled"]);
      expect(cancellationQuote(followed, at, [change])).toStrictEqual({ refundAmount: 0, credit: 0 });
      expect(bookingFollowing(booking, at, [])).toStrictEqual(booking);
    }
  });

  test("an open charge stays open: a late success is refunded for the flight", () => {
    const open = [created(), started(T0 + 1)];
    const followed = decide(open, { type: "ExpireBooking" }).events;
    expect(followed).toStrictEqual([opened(), resolved(0), ended()]);
    given([...open, ...followed])
      .when({ type: "RecordPaymentOutcome", paymentId: CARD_PAYMENT, outcome: { status: "succeeded" } }, AT + 1)
      .then([succeeded(AT + 1, CARD_PAYMENT, {}), refund(TOTAL, AT + 1, {})]);
    const barred = [...open, ...followed, failed(AT, "processing_error")];
    given(barred)
      .when({ type: "RecordPaymentOutcome", paymentId: CARD_PAYMENT, outcome: { status: "succeeded" } }, AT + 1)
      .then([succeeded(AT + 1, CARD_PAYMENT, {}), refund(TOTAL, AT + 1, {})]);
  });
});

const back: FlightChange = {
  disruptionId: "dis_1",
  kind: "reinstated",
  revision: 2,
  reason: null,
  at: AT + 1,
  before: null,
  after: change.before,
};

describe("several changes of a flight", () => {
  const takenBack = (at = AT): BookingEvent => {
    const data = { caseId: CASE, outcome: null, refundAmount: 0, reinstatedBy: 2, departsAt: DEPARTS_AT };
    return { type: "CaseResolved", at, data };
  };
  const again: FlightChange = { ...change, disruptionId: "dis_2", revision: 3, at: AT + 2 };

  test("a cancellation that was taken back before the booking heard of it never was", () => {
    given(paid())
      .when({ type: "FollowFlight", flightId: "flt_1", changes: [change, back] }, AT + 1)
      .then([]);
  });

  test("an open case is resolved when the flight departs after all, and the booking departs with it", () => {
    given([...paid(), opened()])
      .when({ type: "FollowFlight", flightId: "flt_1", changes: [change, back] }, AT + 1)
      .then([takenBack(AT + 1)]);
    const { events } = bookingDecider.decide(
      { type: "RecordDeparture" },
      fold(bookingDecider, [...paid(), opened(), takenBack()]),
      DEPARTS_AT,
    );
    expect(events.map(({ type }) => type)).toStrictEqual(["BookingFlown"]);
  });

  test("one that ended while it was cancelled stays so", () => {
    given([...paid(), opened(), resolved(TOTAL), ended(), refund(TOTAL)])
      .when({ type: "FollowFlight", flightId: "flt_1", changes: [change, back] }, AT + 1)
      .then([]);
  });

  test("a second disruption revises an open case, which keeps what was agreed", () => {
    const at = AT + 2;
    const revised: BookingEvent = {
      type: "CaseRevised",
      at,
      data: { ...opened().data, disruptionId: "dis_2", flightRevision: 3 } as CaseRevised["data"],
    };
    const events = [...paid(), opened()];
    given(events)
      .when({ type: "FollowFlight", flightId: "flt_1", changes: [change, again] }, at)
      .then([revised, resolved(TOTAL, at), ended(at), refund(TOTAL, at)]);
    const asked: BookingEvent = {
      type: "BookingDisrupted",
      at: AT,
      data: { ...opened().data, respondBy: at + DAY, onSilence: "accept" } as CaseRevised["data"],
    };
    const [one] = casesOf(fold(bookingDecider, [...paid(), asked, revised]));
    expect([one?.caseId, one?.revision, one?.respondBy, one?.onSilence]).toStrictEqual([CASE, 2, null, null]);
  });

  test("a booking that is behind by several follows each in its order, in one append; after a resolved case a new one is opened", () => {
    const at = AT + 2;
    const { events } = bookingDecider.decide(
      { type: "FollowFlight", flightId: "flt_1", changes: [change, back, again] },
      fold(bookingDecider, [...paid(), opened()]),
      at,
    );
    expect(events.map(({ type, data }) => [type, "caseId" in data ? data.caseId : null])).toStrictEqual([
      ["CaseResolved", CASE],
      ["BookingDisrupted", caseIdOf(BOOKING, 2)],
      ["CaseResolved", caseIdOf(BOOKING, 2)],
      ["BookingCancelled", null],
      ["RefundStarted", null],
    ]);
  });
});

test("whether a booking has followed", () => {
  expect(hasFollowed({ status: "none" }, [change])).toBe(false);
  expect(hasFollowed(fold(bookingDecider, [created()]), [change])).toBe(false);
  expect(hasFollowed(fold(bookingDecider, [created(), confirmed(T0)]), [])).toBe(true);
  expect(hasFollowed(fold(bookingDecider, [created({ flightRevision: 2 })]), [change])).toBe(true);
  expect(hasFollowed(fold(bookingDecider, [created()]), [change, back])).toBe(true);
});

test("the waiver: while a significant case is open, cancelling refunds everything up to departure", () => {
  const at = DEPARTS_AT - HOUR;
  given([...paid(), opened(at)])
    .when({ type: "CancelBooking", accountId: ACCOUNT, reason: null }, at)
    .then([
      resolved(TOTAL, at),
      cancelled(at),
      refundStarted(at, CARD_PAYMENT, CARD_REFUND, TOTAL, "booking_cancelled", null, NO_POINTS),
    ]);
});
