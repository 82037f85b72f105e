import { describe, expect, test } from "@jest/globals";
import {
  type BookingChanged,
  type BookingDisrupted,
  type BookingEvent,
  bookingDecider,
  type Cabin,
  type CabinChanged,
  type CabinPlan,
  caseIdOf,
  contradictionsOf,
  DAY,
  type EquipmentChange,
  type ExistingBooking,
  type FlightChange,
  fold,
  HOUR,
  nextEventDueAt,
  type Reseated,
  refundIdOf,
  settlementOf,
} from "../../src/index.ts";
import { economy } from "../flight/sample-flight.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  confirmed,
  created,
  DEPARTS_AT,
  failed,
  given,
  JOURNEY,
  paid,
  pendingPoints,
  refundStarted,
  started,
  succeeded,
  T0,
  TOTAL,
} from "./fixtures.ts";

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
const AT = T0 + HOUR;
const LATER = AT + HOUR;
const CASE = caseIdOf(BOOKING, 1);
/** 10A costs 2,500 for its window, 10B 4,000 for its aisle, as they are booked. */
const BEFORE: CabinPlan = {
  ...economy,
  rows: [10, 20],
  exitRows: [],
  blocked: [],
  surcharges: [
    { feature: "window", amount: 2_500 },
    { feature: "aisle", amount: 4_000 },
  ],
};
/** A is at a window, B in the middle, C at an aisle; nothing costs anything. */
const AFTER: CabinPlan = { ...BEFORE, layout: "ABC D", surcharges: [] };
const times = { departsAt: DEPARTS_AT, durationDays: 480 };

function swapped(place: Omit<Reseated, "bookingId"> | undefined, revision = 1, former = BEFORE): EquipmentChange {
  return {
    disruptionId: `dis_${revision}`,
    revision,
    reason: null,
    at: AT,
    kind: "equipment_changed",
    before: { ...times, cabins: [former] },
    after: { ...times, cabins: [AFTER] },
    reseated: place === undefined ? [] : [{ bookingId: BOOKING, ...place }],
  };
}

const NO_PLACE = swapped({ seats: [], overfull: true });
/** The first passenger keeps a window, the second loses the aisle. */
const WORSE = swapped({ seats: ["11A", "11B"] });

const follow = (...changes: readonly FlightChange[]) =>
  ({ type: "FollowFlight", flightId: JOURNEY.flightId, changes }) as const;

function told(seats: readonly string[] | null, about: Partial<BookingDisrupted["data"]> = {}): BookingDisrupted {
  const decided = { disruptionId: "dis_1", kind: "equipment_changed", reason: null, flightRevision: 1 } as const;
  const after = seats && { ...JOURNEY, seats };
  const data = { caseId: CASE, ...decided, significant: false, before: JOURNEY, after, ...about };
  return { type: "BookingDisrupted", at: AT, data };
}

const toAnswer = { significant: true, respondBy: AT + 7 * DAY, onSilence: "accept" } as const;
const withoutPlace = { significant: true, respondBy: DEPARTS_AT, onSilence: null, unplaced: true } as const;

function resolved(outcome: "accepted" | "refunded" | null, refundAmount = 0, at = AT): BookingEvent {
  return { type: "CaseResolved", at, data: { caseId: CASE, outcome, refundAmount } };
}

const changed = (data: Partial<BookingChanged["data"]>): BookingChanged => {
  return { type: "BookingChanged", at: AT, data: { changeId: null, ...data } };
};

const back = (amount: number, left: number) =>
  refundStarted(AT, CARD_PAYMENT, refundIdOf(CARD_PAYMENT, "dis_1"), amount, "other", null, pendingPoints(2_065, left));

const LOST = [
  told(["11A", "11B"], { ...toAnswer, refundAmount: 4_000 }),
  changed({ seats: ["11A", "11B"], surcharges: [2_500, 0], totalAmount: TOTAL - 4_000 }),
  back(4_000, 2_025),
];
const UNPLACED = [
  told(null, { ...withoutPlace, refundAmount: 6_500 }),
  changed({ seats: [], surcharges: [0, 0], totalAmount: 200_000 }),
  back(6_500, 2_000),
];

const answer = (word: "accept" | "refund") =>
  ({ type: "AnswerCase", accountId: ACCOUNT, caseId: CASE, revision: 1, answer: word }) as const;

describe("a booking whose flight goes with another ship", () => {
  test("minor: it keeps its seats, or gets others that lack nothing that was paid for", () => {
    given(paid())
      .when(follow(swapped(undefined)), AT)
      .then([told(JOURNEY.seats), resolved(null)]);
    given(paid())
      .when(follow(swapped({ seats: ["11A", "11C"] })), AT)
      .then([told(["11A", "11C"]), resolved(null), changed({ seats: ["11A", "11C"] })]);
  });

  test("a paid feature that is lost is refunded without asking, less what the new seat would have cost", () => {
    given(paid()).when(follow(WORSE), AT).then(LOST);
    const dearer = swapped({ seats: ["11C", "11A"] });
    given(paid())
      .when(follow(dearer), AT)
      .then([
        told(["11C", "11A"], { ...toAnswer, refundAmount: 1_500 }),
        changed({ seats: ["11C", "11A"], surcharges: [2_500, 2_500], totalAmount: TOTAL - 1_500 }),
        back(1_500, 2_050),
      ]);
  });

  test.each([
    ["a seat that costs nothing, and a window", [2_500, 0], ["10B", "10A"], ["11C", "11B"], [0, 0]],
    ["window and aisle", [2_500, 4_000], ["10C", "10A"], ["11B", "11A"], [0, 2_500]],
  ])("what was paid goes with the seats that the party has exchanged: %s", (_, surcharges, present, next, left) => {
    const ship = { ...BEFORE, layout: AFTER.layout };
    const forSeats = sumOf(surcharges);
    const exchanged: BookingEvent = { type: "BookingChanged", at: T0 + 2, data: { changeId: "chg_1", seats: present } };
    const before = [
      created({ seats: present.toReversed(), surcharges, totalAmount: 200_000 + forSeats }),
      started(T0 + 1, CARD_PAYMENT, 200_000 + forSeats),
      succeeded(T0 + 1, CARD_PAYMENT, pendingPoints(0, 2_000 + forSeats / 100)),
      confirmed(T0 + 1),
      exchanged,
    ];
    const { events } = bookingDecider.decide(
      follow(swapped({ seats: next }, 1, ship)),
      fold(bookingDecider, before),
      AT,
    );
    const booking = fold(bookingDecider, [...before, ...events]) as ExistingBooking;
    const refunds = booking.payments.flatMap((payment) => payment.refunds.map(({ amount }) => amount));
    expect([booking.surcharges, refunds]).toStrictEqual([left, [forSeats - sumOf(left)]]);
  });

  test("what was paid for a feature goes back also where a ship in between asked nothing for it", () => {
    const free = { ...BEFORE, surcharges: [] };
    const between = { ...swapped(undefined), after: { ...times, cabins: [free] } };
    const last = swapped({ seats: ["11B", "12B"] }, 2, free);
    const first = bookingDecider.decide(follow(between), fold(bookingDecider, paid()), AT).events;
    const before = [...paid(), ...first];
    const { events } = bookingDecider.decide(follow(between, last), fold(bookingDecider, before), AT);
    const booking = fold(bookingDecider, [...before, ...events]) as ExistingBooking;
    expect([booking.surcharges, booking.totalAmount]).toStrictEqual([[0, 0], TOTAL - 6_500]);
  });

  test("nothing was paid for seats that were assigned", () => {
    const assigned = created({ surcharges: [], seats: [], totalAmount: 200_000 });
    const seats: BookingEvent = {
      type: "BookingChanged",
      at: T0 + 2,
      data: { changeId: "chg_1", seats: JOURNEY.seats },
    };
    const paying = [started(T0 + 1, CARD_PAYMENT, 200_000), succeeded(T0 + 1), confirmed(T0 + 1)];
    given([assigned, ...paying, seats])
      .when(follow(WORSE), AT)
      .then([told(["11A", "11B"]), resolved(null), changed({ seats: ["11A", "11B"] })]);
  });

  test("the client accepts, has the rest back, or says nothing, which accepts", () => {
    const before = [...paid(), ...LOST];
    given(before)
      .when(answer("accept"), LATER)
      .then([resolved("accepted", 4_000, LATER)]);
    given(before)
      .when({ type: "ExpireBooking" }, AT + 7 * DAY)
      .then([resolved("accepted", 4_000, AT + 7 * DAY)]);
    const refunded = [
      resolved("refunded", TOTAL, LATER),
      cancelled(LATER),
      refundStarted(LATER, CARD_PAYMENT, CARD_REFUND, TOTAL - 4_000, "other", null, pendingPoints(2_025, 0)),
    ];
    given(before).when(answer("refund"), LATER).then(refunded);
    const sums = (history: readonly BookingEvent[]) => {
      const settlement = settlementOf(history, "dis_1");
      return [settlement.kept, settlement.due, settlement.left, contradictionsOf(settlement)];
    };
    expect(sums(before)).toStrictEqual([0, 4_000, TOTAL - 4_000, []]);
    expect(sums([...before, ...refunded])).toStrictEqual([TOTAL, TOTAL, 0, []]);
  });

  test("unpaid: its price follows, and it has nothing to answer", () => {
    given([created()])
      .when(follow(WORSE), AT)
      .then([told(["11A", "11B"], { significant: true }), resolved(null), ...LOST.slice(1, 2)]);
  });

  test("during a payment, which is for the price as it was: what is too much goes back once that has succeeded", () => {
    const waiting = changed({ seats: ["11A", "11B"], surchargesDue: [2_500, 0] });
    const before = [created(), started(T0 + 1), told(["11A", "11B"], { significant: true }), resolved(null), waiting];
    given(before.slice(0, 2)).when(follow(WORSE), AT).then(before.slice(2));
    const outcome = { status: "succeeded" } as const;
    const points = pendingPoints(0, 2_025);
    given(before)
      .when({ type: "RecordPaymentOutcome", paymentId: CARD_PAYMENT, outcome }, LATER)
      .then([
        succeeded(LATER, CARD_PAYMENT, {}),
        confirmed(LATER),
        { ...changed({ surcharges: [2_500, 0], totalAmount: TOTAL - 4_000 }), at: LATER },
        refundStarted(LATER, CARD_PAYMENT, refundIdOf(CARD_PAYMENT, "dis_1"), 4_000, "other", null, points),
      ]);
  });

  test.each([
    ["nothing", ["12A", "12B"], [2_500, 0]],
    ["more", ["12B", "12C"], [0, 0]],
  ])("during a payment a second ship takes %s: what the first has taken goes back, too", (_, seats, left) => {
    const again = swapped({ seats }, 2, { ...AFTER, surcharges: BEFORE.surcharges });
    const history: BookingEvent[] = [created(), started(T0 + 1)];
    const due = (change: EquipmentChange) => {
      const { events } = bookingDecider.decide(follow(change), fold(bookingDecider, history), AT);
      history.push(...events);
    };
    due(WORSE);
    due(again);
    const outcome = { status: "succeeded" } as const;
    const lost = 6_500 - left.reduce((sum, each) => sum + each, 0);
    const points = pendingPoints(0, (TOTAL - lost) / 100);
    given(history)
      .when({ type: "RecordPaymentOutcome", paymentId: CARD_PAYMENT, outcome }, LATER)
      .then([
        succeeded(LATER, CARD_PAYMENT, {}),
        confirmed(LATER),
        { ...changed({ surcharges: left, totalAmount: TOTAL - lost }), at: LATER },
        refundStarted(LATER, CARD_PAYMENT, refundIdOf(CARD_PAYMENT, "dis_2"), lost, "other", null, points),
      ]);
  });

  test("the price falls once the payment has failed", () => {
    const waiting = changed({ seats: ["11A", "11B"], surchargesDue: [2_500, 0] });
    const before = [created(), started(T0 + 1), told(["11A", "11B"], { significant: true }), resolved(null), waiting];
    const outcome = { status: "failed", failureCode: "card_declined" } as const;
    const ended = [
      failed(LATER, "card_declined"),
      { ...changed({ surcharges: [2_500, 0], totalAmount: TOTAL - 4_000 }), at: LATER },
    ];
    given(before).when({ type: "RecordPaymentOutcome", paymentId: CARD_PAYMENT, outcome }, LATER).then(ended);
    const upgrade = { redemptionId: "rdm_1", cabin: "business" } as const;
    given([...before, ...ended])
      .when({ type: "UpgradeCabin", accountId: ACCOUNT, flightId: JOURNEY.flightId, ...upgrade }, LATER)
      .then([{ type: "CabinUpgraded", at: LATER, data: { ...upgrade, surcharges: [], totalAmount: 200_000 } }]);
  });

  test("unpaid: it is confirmed where nothing is left to pay, at once or once the payment has failed", () => {
    const byCredit = created({ creditApplied: 204_000, totalAmount: 2_500 });
    const credit = { accountId: ACCOUNT, creditId: `dis_1/${BOOKING}`, amount: 1_500 };
    const free = { surcharges: [2_500, 0], totalAmount: 0, creditGivenUp: credit };
    given([byCredit])
      .when(follow(WORSE), AT)
      .then([told(["11A", "11B"], toAnswer), changed({ seats: ["11A", "11B"], ...free }), confirmed(AT)]);
    const waiting = changed({ seats: ["11A", "11B"], surchargesDue: [2_500, 0] });
    const outcome = { status: "failed", failureCode: "card_declined" } as const;
    given([
      byCredit,
      started(T0 + 1, CARD_PAYMENT, 2_500),
      told(["11A", "11B"], { significant: true }),
      resolved(null),
      waiting,
    ])
      .when({ type: "RecordPaymentOutcome", paymentId: CARD_PAYMENT, outcome }, LATER)
      .then([failed(LATER, "card_declined"), { ...changed(free), at: LATER }, confirmed(LATER)]);
  });

  test("what credit has paid returns as credit once money does not suffice", () => {
    const byCredit = created({ creditApplied: TOTAL, totalAmount: 0, expiresAt: null });
    const credit = { accountId: ACCOUNT, creditId: `dis_1/${BOOKING}`, amount: 4_000 };
    given([byCredit, confirmed(T0)])
      .when(follow(WORSE), AT)
      .then([
        told(["11A", "11B"], toAnswer),
        changed({ seats: ["11A", "11B"], surcharges: [2_500, 0], creditGivenUp: credit }),
      ]);
  });
});

describe("a booking that has no place on the other ship", () => {
  const before = [...paid(), ...UNPLACED];

  test("keeps its case open until departure, and is refunded in full then: not flown, no points", () => {
    given(paid()).when(follow(NO_PLACE), AT).then(UNPLACED);
    const ended = [
      resolved("refunded", TOTAL, DEPARTS_AT),
      cancelled(DEPARTS_AT),
      refundStarted(DEPARTS_AT, CARD_PAYMENT, CARD_REFUND, 200_000, "other", null, pendingPoints(2_000, 0)),
    ];
    expect(nextEventDueAt(fold(bookingDecider, before))).toBe(DEPARTS_AT);
    given(before)
      .when({ type: "ExpireBooking" }, DEPARTS_AT - 1)
      .then([]);
    given(before).when({ type: "RecordDeparture" }, DEPARTS_AT).then(ended);
    given([...before, ...ended])
      .when({ type: "RecordDeparture" }, DEPARTS_AT + 1)
      .then([]);
  });

  test("may have its money back, and has nothing to accept", () => {
    given(before).when(answer("accept"), LATER).thenRejected("nothing_to_accept");
    given(before)
      .when(answer("refund"), LATER)
      .then([
        resolved("refunded", TOTAL, LATER),
        cancelled(LATER),
        refundStarted(LATER, CARD_PAYMENT, CARD_REFUND, 200_000, "other", null, pendingPoints(2_000, 0)),
      ]);
  });

  test("unpaid: it ends", () => {
    given([created()])
      .when(follow(NO_PLACE), AT)
      .then([told(null, { significant: true, unplaced: true }), resolved("refunded"), cancelled(AT)]);
  });

  test("has one again once it gets seats, another cabin, or a third ship: that is agreed", () => {
    const seats = { flightId: JOURNEY.flightId, changeId: "chg_1", seats: ["12A", "12B"], surcharges: [0, 0] };
    given(before)
      .when({ type: "ChangeBooking", accountId: ACCOUNT, seats }, LATER)
      .then([
        resolved("accepted", 6_500, LATER),
        { type: "BookingChanged", at: LATER, data: { changeId: "chg_1", seats: ["12A", "12B"] } },
      ]);
    const upgrade = { redemptionId: "rdm_1", cabin: "business" } as const;
    given(before)
      .when({ type: "UpgradeCabin", accountId: ACCOUNT, flightId: JOURNEY.flightId, ...upgrade }, LATER)
      .then([resolved("accepted", 6_500, LATER), { type: "CabinUpgraded", at: LATER, data: upgrade }]);
    const third = bookingDecider.decide(follow(swapped({ seats: [] }, 2)), fold(bookingDecider, before), LATER);
    const booking = fold(bookingDecider, [...before, ...third.events]) as ExistingBooking;
    expect([
      booking.unplaced,
      booking.cases?.map(({ revision, status, after }) => [revision, status, after?.seats]),
    ]).toStrictEqual([undefined, [[2, "open", []]]]);
  });

  test("may go in another cabin that the flight has reserved: a better one is free, of a lower one the difference of fares goes back", () => {
    const flight = JOURNEY.flightId;
    const take = {
      type: "TakeCabin",
      accountId: ACCOUNT,
      caseId: CASE,
      revision: 1,
      flightId: flight,
      changeId: "chg_1",
    } as const;
    const fare = (amount: number, currency = economy.currency) => ({ amount, currency });
    const taken = (cabin: Cabin, refundAmount: number): BookingEvent => {
      const after = { ...JOURNEY, cabin, seats: [] };
      return { type: "CaseResolved", at: LATER, data: { caseId: CASE, outcome: "accepted", refundAmount, after } };
    };
    const inCabin = (data: Omit<CabinChanged["data"], "changeId">): BookingEvent => {
      return { type: "CabinChanged", at: LATER, data: { changeId: "chg_1", ...data } };
    };
    given(before)
      .when({ ...take, cabin: "business", fare: fare(500_000) }, LATER)
      .then([taken("business", 6_500), inCabin({ cabin: "business", fareAmount: 100_000, surcharges: [] })]);

    const better = [
      ...paid().map((event) =>
        event.type === "BookingCreated" ? { ...event, data: { ...event.data, cabin: "first" as const } } : event,
      ),
    ];
    const ship = [{ ...AFTER, cabin: "economy" as const }];
    const lacking = {
      ...NO_PLACE,
      after: { ...times, cabins: ship },
      before: { ...times, cabins: [{ ...BEFORE, cabin: "first" as const }] },
    };
    const followed = bookingDecider.decide(follow(lacking), fold(bookingDecider, better), AT).events;
    const [first] = fold(bookingDecider, [...better, ...followed]).status === "confirmed" ? followed : [];
    expect(first?.type === "BookingDisrupted" && first.data.after?.cabin).toBe("economy");
    given([...better, ...followed])
      .when(answer("accept"), LATER)
      .thenRejected("not_moved_yet");
    given([...better, ...followed])
      .when({ ...take, cabin: "economy", fare: fare(60_000) }, LATER)
      .then([
        taken("economy", 86_500),
        inCabin({ cabin: "economy", fareAmount: 60_000, surcharges: [], totalAmount: 120_000 }),
        refundStarted(
          LATER,
          CARD_PAYMENT,
          refundIdOf(CARD_PAYMENT, CASE),
          80_000,
          "other",
          null,
          pendingPoints(2_000, 1_200),
        ),
      ]);
    given([...better, ...followed])
      .when({ ...take, cabin: "economy", fare: fare(60_000, "EUR") }, LATER)
      .thenRejected("nothing_to_accept");
    const inEuro = { ...lacking, after: { ...times, cabins: [{ ...AFTER, currency: "EUR" }] } };
    const [notOffered] = bookingDecider.decide(follow(inEuro), fold(bookingDecider, better), AT).events;
    expect(notOffered?.type === "BookingDisrupted" && notOffered.data.after).toBeNull();
    given(paid())
      .when({ ...take, cabin: "business", fare: fare(1) }, LATER)
      .thenRejected("disruption_not_found");
    given([...paid(), ...LOST])
      .when({ ...take, cabin: "business", fare: fare(1) }, LATER)
      .thenRejected("nothing_to_accept");
  });

  test("a retiming leaves it without", () => {
    const later = DEPARTS_AT + 60_000;
    const retimed: FlightChange = {
      disruptionId: "dis_2",
      revision: 2,
      reason: null,
      at: LATER,
      kind: "retimed",
      tolerance: { earlier: HOUR, later: 3 * HOUR },
      before: times,
      after: { ...times, departsAt: later },
    };
    const { events } = bookingDecider.decide(follow(NO_PLACE, retimed), fold(bookingDecider, before), LATER);
    const booking = fold(bookingDecider, [...before, ...events]) as ExistingBooking;
    const shown = booking.cases?.map(({ status, after, respondBy, onSilence }) => [
      status,
      after,
      respondBy,
      onSilence,
    ]);
    expect([booking.unplaced, shown]).toStrictEqual([true, [["open", null, later, null]]]);
    expect(nextEventDueAt(booking)).toBe(later);
  });
});
