import { describe, expect, test } from "@jest/globals";
import {
  actionsOf,
  type BookingEvent,
  bookingDecider,
  cancellableUntil,
  cancellationQuote,
  caseIdOf,
  casesOf,
  DAY,
  type ExistingBooking,
  type FlightChange,
  type FlightTimes,
  fold,
  HOUR,
  type Journey,
  MINUTE,
  type MoveBooking,
  movingBooking,
  placesLeftBy,
} from "../../src/index.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  DEPARTS_AT,
  flightCancelled,
  given,
  JOURNEY,
  NO_POINTS,
  paid,
  pendingPoints,
  refundStarted,
  T0,
  TOTAL,
} from "./fixtures.ts";

const AT = T0 + HOUR;
const LATER = AT + HOUR;
const CASE = caseIdOf(BOOKING, 1);
const MOVE = "00000000-0001-7000-8000-0000010a0000";
const decided = { caseId: CASE, disruptionId: "dis_1", kind: "cancelled", reason: null, flightRevision: 1 } as const;
const told = { ...decided, significant: true, before: JOURNEY } as const;
const moving = flightCancelled({ policy: "move", into: ["flt_2"] });
const NEXT_DAY = { flightId: "flt_2", departsAt: DEPARTS_AT + DAY, durationDays: 480, cabin: "economy" } as const;

const opened: BookingEvent = {
  type: "BookingDisrupted",
  at: AT,
  data: { ...told, after: null, respondBy: AT + 7 * DAY, onSilence: null },
};
const WAITING = [...paid(), opened];

function move(about: Partial<MoveBooking> = {}): MoveBooking {
  const facts = { accountId: ACCOUNT, caseId: CASE, revision: 1, moveId: MOVE, flightRevision: 3 };
  return { type: "MoveBooking", ...facts, ...NEXT_DAY, seats: JOURNEY.seats, ...about };
}

const revised = (seats: readonly string[], about: object = {}): BookingEvent => {
  const after: Journey = { ...NEXT_DAY, seats };
  return {
    type: "CaseRevised",
    at: LATER,
    data: { ...told, after, respondBy: LATER + 7 * DAY, onSilence: "accept", ...about },
  };
};
const moved = (seats: readonly string[], about: object = {}): BookingEvent => {
  const { flightId, departsAt } = NEXT_DAY;
  const data = { caseId: CASE, moveId: MOVE, flightId, departsAt, seats, flightRevision: 3, ...about };
  return { type: "BookingMoved", at: LATER, data };
};
const resolved = (outcome: "accepted" | "rebooked" | "moved", at: number, about: object = {}): BookingEvent => {
  return { type: "CaseResolved", at, data: { caseId: CASE, outcome, refundAmount: 0, ...about } };
};
const KEPT = [revised(JOURNEY.seats), moved(JOURNEY.seats)];

const stateOf = (events: readonly BookingEvent[]): ExistingBooking => fold(bookingDecider, events) as ExistingBooking;

describe("a booking that its carrier moves", () => {
  test("waits for it, and its client may choose meanwhile; nothing happens by silence", () => {
    given(paid())
      .when({ type: "FollowFlight", flightId: "flt_1", changes: [moving] }, AT)
      .then([opened]);
    expect(casesOf(stateOf(WAITING)).map(actionsOf)).toStrictEqual([["rebook", "refund"]]);
    given(WAITING)
      .when({ type: "ExpireBooking" }, AT + 8 * DAY)
      .then([]);
  });

  test("may be cancelled meanwhile, also once its flight was to depart: everything goes back, and it never moves", () => {
    const late = DEPARTS_AT + DAY;
    const { events } = bookingDecider.decide(
      { type: "CancelBooking", accountId: ACCOUNT, reason: null, changes: [moving] },
      stateOf(WAITING),
      late,
    );
    expect(events).toStrictEqual([
      { type: "CaseResolved", at: late, data: { caseId: CASE, outcome: "refunded", refundAmount: TOTAL } },
      cancelled(late),
      refundStarted(late, CARD_PAYMENT, CARD_REFUND, TOTAL, "booking_cancelled", null, NO_POINTS),
    ]);
    given([...WAITING, ...events])
      .when(move(), late)
      .thenRejected("disruption_resolved");
  });

  test("is told first, then is on the other flight, and follows that from then on", () => {
    given(WAITING).when(move(), LATER).then(KEPT);
    const booking = stateOf([...WAITING, ...KEPT]);
    const { flightId, departsAt, formerDepartures, flightRevision, flightCancelled, moves } = booking;
    expect({ flightId, departsAt, formerDepartures, flightRevision, flightCancelled, moves }).toStrictEqual({
      flightId: "flt_2",
      departsAt: DEPARTS_AT + DAY,
      formerDepartures: [DEPARTS_AT],
      flightRevision: 3,
      flightCancelled: undefined,
      moves: [{ moveId: MOVE, caseId: CASE, left: "flt_1" }],
    });
    expect(casesOf(booking).map(actionsOf)).toStrictEqual([["accept", "rebook", "refund"]]);
    expect(placesLeftBy(booking, MOVE)).toStrictEqual({ flightId: "flt_1", placedBy: undefined });
    // What its former flight does is no affair of it.
    given([...WAITING, ...KEPT])
      .when({ type: "FollowFlight", flightId: "flt_1", changes: [{ ...moving, revision: 9 }] }, LATER)
      .then([]);
  });

  test("departs with its other flight, also where that was cancelled and is reinstated before an answer", () => {
    const times = { departsAt: NEXT_DAY.departsAt, durationDays: NEXT_DAY.durationDays };
    const again = { disruptionId: "dis_2", reason: null, at: LATER + 1 } as const;
    const cancelling = flightCancelled({ ...again, revision: 4, policy: "offer", before: times });
    const back: FlightChange = { ...again, kind: "reinstated", revision: 5, before: null, after: times };
    const hear = (events: readonly BookingEvent[], changes: readonly FlightChange[]) => {
      const follow = { type: "FollowFlight", flightId: "flt_2", changes } as const;
      return [...events, ...bookingDecider.decide(follow, stateOf(events), LATER + 1).events];
    };
    const aware = hear([...WAITING, ...KEPT], [cancelling]);
    expect(stateOf(aware).flightCancelled).toBe(true);
    expect(stateOf(hear(aware, [cancelling, back])).flightCancelled).toBe(undefined);
  });

  test("keeps its choice where the other flight departs a little later, or takes longer", () => {
    const [before, after] = [NEXT_DAY.departsAt, NEXT_DAY.departsAt + MINUTE].map((departsAt) => ({
      departsAt: departsAt - DAY + HOUR,
      durationDays: NEXT_DAY.durationDays,
    })) as [FlightTimes, FlightTimes];
    const soon = [...WAITING, ...bookingDecider.decide(move(before), stateOf(WAITING), LATER).events];
    const tolerance = { earlier: HOUR, later: 3 * HOUR };
    const decision = { disruptionId: "dis_2", kind: "retimed", revision: 4, reason: null, at: LATER } as const;
    const changes = [{ ...decision, tolerance, before, after }];
    const follow = { type: "FollowFlight", flightId: "flt_2", changes } as const;
    const aware = stateOf([...soon, ...bookingDecider.decide(follow, stateOf(soon), LATER).events]);
    expect(casesOf(aware).map(({ revision, status }) => [revision, status])).toStrictEqual([[3, "open"]]);
    expect(casesOf(aware).map(actionsOf)).toStrictEqual([["accept", "rebook", "refund"]]);
  });

  test("answered it is accepted, by silence moved, and may be refunded until then", () => {
    const answer = { type: "AnswerCase", accountId: ACCOUNT, caseId: CASE, revision: 2 } as const;
    given([...WAITING, ...KEPT])
      .when({ ...answer, answer: "accept" }, LATER)
      .then([resolved("accepted", LATER)]);
    const silent = LATER + 7 * DAY;
    given([...WAITING, ...KEPT])
      .when({ type: "ExpireBooking" }, silent)
      .then([resolved("moved", silent)]);
    const { events } = bookingDecider.decide({ ...answer, answer: "refund" }, stateOf([...WAITING, ...KEPT]), LATER);
    expect(events.map(({ type }) => type)).toStrictEqual(["CaseResolved", "BookingCancelled", "RefundStarted"]);
    given([...WAITING, ...KEPT])
      .when({ ...answer, answer: "refund", revision: 1 }, LATER)
      .thenRejected("disruption_superseded");
  });

  test("without its seats it gets back what was paid for them, once", () => {
    const rest = TOTAL - 6_500;
    const refundId = `rfd_${BOOKING.slice(4)}0000010a0000`;
    given(WAITING)
      .when(move({ seats: [] }), LATER)
      .then([
        revised([], { refundAmount: 6_500 }),
        moved([], { surcharges: [], totalAmount: rest }),
        refundStarted(LATER, CARD_PAYMENT, refundId, 6_500, "flight_cancelled", null, pendingPoints(2_065, 2_000)),
      ]);
    const { events } = bookingDecider.decide(move({ seats: [] }), stateOf(WAITING), LATER);
    given([...WAITING, ...events])
      .when({ type: "ExpireBooking" }, LATER + 7 * DAY)
      .then([resolved("moved", LATER + 7 * DAY, { refundAmount: 6_500 })]);
    const known = [...WAITING, ...events];
    expect(casesOf(stateOf(known))[0]?.refundAmount).toBe(6_500);
    const refund = { type: "AnswerCase", accountId: ACCOUNT, caseId: CASE, revision: 2, answer: "refund" } as const;
    const [told] = bookingDecider.decide(refund, stateOf(known), LATER).events;
    expect(told?.data).toStrictEqual({ caseId: CASE, outcome: "refunded", refundAmount: TOTAL });
    const rebook = move({ revision: 2, moveId: "second", flightId: "flt_3", seats: [], answer: "rebook" });
    const [rebooked] = bookingDecider.decide(rebook, stateOf(known), LATER).events;
    const after = { ...NEXT_DAY, flightId: "flt_3", seats: [] };
    expect(rebooked).toStrictEqual(resolved("rebooked", LATER, { refundAmount: 6_500, after }));
  });

  test("moves once, and not after a decision that came first", () => {
    given([...WAITING, ...KEPT])
      .when(move(), LATER)
      .then([]);
    given([...WAITING, ...KEPT])
      .when(move({ moveId: "other" }), LATER)
      .thenRejected("disruption_superseded");
    given([...WAITING, { type: "SeatChangeClosed", at: AT, data: { changeId: MOVE } }])
      .when(move(), LATER)
      .thenRejected("change_closed");
    given([...WAITING, resolved("accepted", AT), cancelled(AT, "flight_cancelled")])
      .when(move(), LATER)
      .thenRejected("disruption_resolved");
    given(WAITING)
      .when(move({ cabin: "business" }), LATER)
      .thenRejected("cabin_left");
    given(WAITING)
      .when(move({ accountId: "acc_2" }), LATER)
      .thenRejected("disruption_not_found");
  });

  test("seats and an upgrade that the former flight has reserved come too late", () => {
    const history = [...WAITING, ...KEPT];
    const seats = { flightId: "flt_1", changeId: "chg_1", seats: ["11A", "11B"], surcharges: [0, 0] };
    given(history).when({ type: "ChangeBooking", accountId: ACCOUNT, seats }, LATER).thenRejected("change_closed");
    given(history)
      .when(
        { type: "UpgradeCabin", accountId: ACCOUNT, redemptionId: "red_1", flightId: "flt_1", cabin: "business" },
        LATER,
      )
      .thenRejected("redemption_closed");
  });

  test("the moment until which cancelling is free never gets earlier, and the agreed departure is the new one only once accepted", () => {
    const accepted = stateOf([...WAITING, ...KEPT, resolved("accepted", LATER)]);
    expect(accepted.agreed).toBeUndefined();
    expect(movingBooking(stateOf([...WAITING, ...KEPT]), CASE)?.agreed).toBe(DEPARTS_AT);
  });
});

describe("a client who rebooks", () => {
  const rebook = (flightId: string) =>
    ({ type: "AnswerCase", accountId: ACCOUNT, caseId: CASE, revision: 1, answer: "rebook", flightId }) as const;
  const after: Journey = { ...NEXT_DAY, seats: [] };
  const REBOOKED = [resolved("rebooked", LATER, { after }), moved([])];

  test("asks another flight first; then the case is resolved by the move, and nothing goes back", () => {
    given(WAITING).when(rebook("flt_2"), LATER).thenRejected("not_moved_yet");
    given(WAITING).when(rebook("flt_1"), LATER).thenRejected("rebook_not_allowed");
    given(WAITING)
      .when(move({ seats: [], answer: "rebook" }), LATER)
      .then(REBOOKED);
    expect(casesOf(stateOf([...WAITING, ...REBOOKED]))[0]).toMatchObject({ status: "resolved", after });
  });

  test("is told where the carrier has moved the booking by the same places first: the answer was not recorded", () => {
    const asking = move({ answer: "rebook" });
    given([...WAITING, ...KEPT])
      .when(asking, LATER)
      .thenRejected({ code: "disruption_superseded", facts: { revision: 2 } });
    const { events } = bookingDecider.decide(asking, stateOf(WAITING), LATER);
    for (const again of [asking, move()])
      given([...WAITING, ...events])
        .when(again, LATER)
        .then([]);
  });

  test("the same flight again changes nothing, another is refused", () => {
    const history = [...WAITING, ...REBOOKED];
    given(history).when(rebook("flt_2"), LATER).then([]);
    given(history).when(rebook("flt_3"), LATER).thenRejected("disruption_resolved");
  });

  test("moved twice, each flight is left by the places that it gave", () => {
    const again = { ...moved([]), data: { ...moved([]).data, moveId: "second", flightId: "flt_3" } } as BookingEvent;
    const booking = stateOf([...WAITING, ...KEPT, again]);
    expect([
      placesLeftBy(booking, MOVE),
      placesLeftBy(booking, "second"),
      placesLeftBy(booking, "third"),
    ]).toStrictEqual([{ flightId: "flt_1", placedBy: undefined }, { flightId: "flt_2", placedBy: MOVE }, undefined]);
  });
});

describe("a client who is offered another flight", () => {
  const { flightId, departsAt, durationDays } = NEXT_DAY;
  const offer = { type: "OfferFlight", accountId: ACCOUNT, caseId: CASE, revision: 1, flightId } as const;
  const asking: BookingEvent = { ...opened, data: { ...opened.data, onSilence: "refund" } } as BookingEvent;
  const after: Journey = { ...NEXT_DAY, seats: [] };
  const offered: BookingEvent = {
    type: "CaseRevised",
    at: LATER,
    data: { ...told, after, respondBy: LATER + 7 * DAY, onSilence: "refund" },
  };

  test("may cancel for free as long as it may be accepted, also once the former flight was to depart", () => {
    const late = DEPARTS_AT + HOUR;
    const lately = { ...offered, data: { ...offered.data, respondBy: late + HOUR } } as BookingEvent;
    const booking = stateOf([...paid(), asking, lately]);
    expect(cancellableUntil(booking)).toBe(late + HOUR);
    expect(cancellationQuote(booking, late)).toStrictEqual({ refundAmount: TOTAL, credit: 0 });
  });

  test("may accept it, by moving there", () => {
    const history = [...paid(), asking];
    given(history)
      .when({ ...offer, departsAt, durationDays }, LATER)
      .then([offered]);
    given([...history, offered])
      .when({ ...offer, departsAt, durationDays }, LATER)
      .then([]);
    given([...history, offered])
      .when({ type: "AnswerCase", accountId: ACCOUNT, caseId: CASE, revision: 2, answer: "accept" }, LATER)
      .thenRejected("not_moved_yet");
    given([...history, offered])
      .when(move({ revision: 2, answer: "accept" }), LATER)
      .then([resolved("accepted", LATER, { after: { ...NEXT_DAY, seats: JOURNEY.seats } }), moved(JOURNEY.seats)]);
  });
});
