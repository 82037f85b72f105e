import { describe, expect, test } from "@jest/globals";
import {
  actionsOf,
  type BookingCommand,
  type BookingEvent,
  bookingDecider,
  type CaseAnswer,
  caseIdOf,
  casesOf,
  DAY,
  fold,
  HOUR,
  nextEventDueAt,
} from "../../src/index.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  created,
  DEPARTS_AT,
  flightCancelled,
  given,
  JOURNEY,
  NO_POINTS,
  paid,
  paidByTransfer,
  refundStarted,
  T0,
  TOTAL,
} from "./fixtures.ts";

const AT = T0 + HOUR;
const CASE = caseIdOf(BOOKING, 1);
const change = flightCancelled({ policy: "offer" });
const decided = { caseId: CASE, disruptionId: "dis_1", kind: "cancelled", reason: null, flightRevision: 1 } as const;
const told = { ...decided, significant: true, before: JOURNEY, after: null, onSilence: "refund" } as const;
const opened = (respondBy = AT + 7 * DAY, at = AT): BookingEvent => ({
  type: "BookingDisrupted",
  at,
  data: { ...told, respondBy },
});
const OFFERED = [...paid(), opened()];
const back = (at: number): readonly BookingEvent[] => [
  { type: "CaseResolved", at, data: { caseId: CASE, outcome: "refunded", refundAmount: TOTAL } },
  cancelled(at, "flight_cancelled"),
  refundStarted(at, CARD_PAYMENT, CARD_REFUND, TOTAL, "flight_cancelled", null, NO_POINTS),
];
const answer = (given: Exclude<CaseAnswer, "rebook">, revision = 1, accountId = ACCOUNT): BookingCommand => {
  return { type: "AnswerCase", accountId, caseId: CASE, revision, answer: given };
};
const follow = (at = AT): BookingCommand => ({ type: "FollowFlight", flightId: "flt_1", changes: [{ ...change, at }] });

describe("a booking that is offered its money", () => {
  test("stays as it is while its client may answer: at least two hours, at most a week, never past departure", () => {
    given(paid()).when(follow(), AT).then([opened()]);
    const late = DEPARTS_AT - 2 * DAY;
    given(paid())
      .when(follow(late), late)
      .then([opened(DEPARTS_AT - DAY, late)]);
    const later = DEPARTS_AT - DAY;
    given(paid())
      .when(follow(later), later)
      .then([opened(later + 2 * HOUR, later)]);
    const last = DEPARTS_AT - HOUR;
    given(paid())
      .when(follow(last), last)
      .then([opened(DEPARTS_AT, last)]);
    expect(casesOf(fold(bookingDecider, OFFERED)).map(actionsOf)).toStrictEqual([["rebook", "refund"]]);
  });

  test("unpaid, it ends at once", () => {
    given([created()])
      .when(follow(), AT)
      .then([
        { type: "BookingDisrupted", at: AT, data: { ...decided, significant: true, before: JOURNEY, after: null } },
        { type: "CaseResolved", at: AT, data: { caseId: CASE, outcome: "refunded", refundAmount: 0 } },
        cancelled(AT, "flight_cancelled"),
      ]);
  });

  test("silence: at the end everything goes back, whether a timer has fired or not", () => {
    const silent = AT + 7 * DAY;
    expect(nextEventDueAt(fold(bookingDecider, OFFERED))).toBe(silent);
    given(OFFERED)
      .when({ type: "ExpireBooking" }, silent - 1)
      .then([]);
    given(OFFERED).when({ type: "ExpireBooking" }, silent).then(back(silent));
    given(OFFERED).when(answer("accept"), silent).thenRejected("disruption_resolved", back(silent));
  });

  test("its money never came after all: nothing is left to answer, and nothing goes back", () => {
    const reversing = { type: "ReverseTransfer", entryId: "e1", reason: "bounced", cancelBooking: true } as const;
    const offered = [...paidByTransfer(), opened()];
    const { events } = bookingDecider.decide(reversing, fold(bookingDecider, offered), AT + 1);
    expect(events.map(({ type }) => type)).toStrictEqual([
      "TransferReversed",
      "PaymentFailed",
      "CaseResolved",
      "BookingCancelled",
    ]);
    expect(events[2]?.data).toStrictEqual({ caseId: CASE, outcome: "refunded", refundAmount: 0 });
  });

  test("nobody flies, is rewarded or erased meanwhile", () => {
    given(OFFERED)
      .when({ type: "AddReward", accountId: ACCOUNT, redemptionId: "red_1", reward: "lounge_access" }, AT)
      .thenRejected("flight_cancelled");
    given(OFFERED).when({ type: "EraseBooking", again: false }, AT).thenRejected("booking_not_over");
  });
});

describe("an answer", () => {
  test("refund: everything goes back; the same answer again changes nothing, another comes too late", () => {
    given(OFFERED)
      .when(answer("refund"), AT + 1)
      .then(back(AT + 1));
    const answered = [...OFFERED, ...back(AT + 1)];
    given(answered)
      .when(answer("refund", 7), AT + 2)
      .then([]);
    given(answered)
      .when(answer("accept"), AT + 2)
      .thenRejected("disruption_resolved");
  });

  test("accept: only where something takes the place of the journey", () => {
    given(OFFERED)
      .when(answer("accept"), AT + 1)
      .thenRejected("nothing_to_accept");
    const moved: BookingEvent = {
      type: "BookingDisrupted",
      at: AT,
      data: { ...told, after: JOURNEY, respondBy: AT + DAY, onSilence: "accept" },
    };
    const resolved = (outcome: "accepted" | "moved", at: number): BookingEvent => {
      return { type: "CaseResolved", at, data: { caseId: CASE, outcome, refundAmount: 0 } };
    };
    given([...paid(), moved])
      .when(answer("accept"), AT + 1)
      .then([resolved("accepted", AT + 1)]);
    given([...paid(), moved])
      .when({ type: "ExpireBooking" }, AT + DAY)
      .then([resolved("moved", AT + DAY)]);
    expect(casesOf(fold(bookingDecider, [...paid(), moved])).map(actionsOf)).toStrictEqual([
      ["accept", "rebook", "refund"],
    ]);
  });

  test("superseded: it names the revision that it saw", () => {
    const revised: BookingEvent = { type: "CaseRevised", at: AT, data: { ...told, respondBy: AT + 7 * DAY } };
    given([...OFFERED, revised])
      .when(answer("refund"), AT + 1)
      .thenRejected({ code: "disruption_superseded", facts: { revision: 2 } });
    given([...OFFERED, revised])
      .when(answer("refund", 2), AT + 1)
      .then(back(AT + 1));
  });

  test("is the account's own", () => {
    given(OFFERED)
      .when(answer("refund", 1, "acc_2"), AT)
      .thenRejected("disruption_not_found");
    given(paid()).when(answer("refund"), AT).thenRejected("disruption_not_found");
    given([]).when(answer("refund"), AT).thenRejected("disruption_not_found");
  });
});
