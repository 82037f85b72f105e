import { describe, expect, test } from "@jest/globals";
import {
  type BookingEvent,
  bookingDecider,
  DAY,
  type ExistingBooking,
  fold,
  HOUR,
  refundsAfterDeparture,
} from "../../src/index.ts";
import {
  ACCOUNT,
  ALL_POINTS,
  BOOKING,
  CARD_PAYMENT,
  cancelled,
  confirmed,
  created,
  DEPARTED,
  DEPARTS_AT,
  given,
  NO_POINTS,
  type PointsMoved,
  paid,
  REFUND,
  refundStarted,
  started,
  T0,
  TOTAL,
  transferStarted,
} from "./fixtures.ts";

const ofRedemption = { accountId: ACCOUNT, redemptionId: "red_1" } as const;
const at = T0 + HOUR;

const CREDIT = { type: "ApplyCredit", ...ofRedemption, amount: 10_000, currency: "USD" } as const;
const credited = (amount: number, totalAmount: number): BookingEvent => ({
  type: "CreditApplied",
  at,
  data: { redemptionId: "red_1", amount, totalAmount },
});
const BAGGAGE = { type: "AddReward", ...ofRedemption, reward: "extra_baggage" } as const;
const UPGRADE = { type: "UpgradeCabin", ...ofRedemption, flightId: "flt_1", cabin: "business" } as const;
const CLOSE = { type: "CloseRedemption", redemptionId: "red_1" } as const;
const closed: BookingEvent = { type: "RedemptionClosed", at, data: { redemptionId: "red_1" } };
const upgraded = (more: object = {}): BookingEvent =>
  ({ type: "CabinUpgraded", at, data: { redemptionId: "red_1", cabin: "business", ...more } }) as BookingEvent;

test("a booking has at most a hundred redemptions, given and closed ones; what was begun can still be closed", () => {
  const closings = Array.from({ length: 99 }, (_, index): BookingEvent => {
    return { type: "RedemptionClosed", at, data: { redemptionId: `red_c${index}` } };
  });
  const baggage: BookingEvent = { type: "RewardAdded", at, data: { redemptionId: "red_0", reward: "extra_baggage" } };
  const more = (redemptionId: string) => ({ ...BAGGAGE, redemptionId });
  given([created(), ...closings])
    .when(more("red_0"), at)
    .then([baggage]);
  const all = [created(), ...closings, baggage];
  for (const reward of [BAGGAGE, CREDIT, UPGRADE]) given(all).when(reward, at).thenRejected("too_many_redemptions");
  given(all).when(more("red_0"), at).then([]);
  given(all).when(CLOSE, at).then([closed]);
});

describe("a credit for a pending booking", () => {
  test("lowers what is to pay, once", () => {
    given([created()])
      .when(CREDIT, at)
      .then([credited(10_000, TOTAL - 10_000)]);
    given([created(), credited(10_000, TOTAL - 10_000)])
      .when(CREDIT, at)
      .then([]);
  });

  test("to zero at most, and then the booking is confirmed", () => {
    const cheap = created({ fareAmount: 2_000, totalAmount: 4_000, seats: [], surcharges: [] });
    given([cheap])
      .when(CREDIT, at)
      .then([credited(4_000, 0), confirmed(at)]);
  });

  test("is refused under a payment, when paid, cancelled or departed", () => {
    given([created(), started(T0 + 1)])
      .when(CREDIT, at)
      .thenRejected("payment_pending");
    given([created(), transferStarted(T0 + 1)])
      .when(CREDIT, at)
      .thenRejected("payment_pending");
    given(paid()).when(CREDIT, at).thenRejected("already_paid");
    given([created(), cancelled(T0 + 1)])
      .when(CREDIT, at)
      .thenRejected("booking_cancelled");
    given([created()])
      .when({ ...CREDIT, accountId: "acc_2" }, at)
      .thenRejected("booking_not_found");
  });

  test("is refused by a booking in another currency, before anything else of it is looked at", () => {
    const dinars = created({ currency: "KWD" });
    given([dinars]).when(CREDIT, at).thenRejected("credit_currency_mismatch");
    given([dinars, cancelled(T0 + 1)])
      .when(CREDIT, at)
      .thenRejected("credit_currency_mismatch");
    // From when credit knew no currency.
    given([dinars, credited(10_000, TOTAL - 10_000)])
      .when(CREDIT, at)
      .then([]);
  });

  test("goes back when the booking expires, or is cancelled in time", () => {
    const history = [created(), credited(10_000, TOTAL - 10_000)];
    const back = { creditGivenUp: { accountId: ACCOUNT, creditId: `${BOOKING}/cancelled`, amount: 10_000 } };
    const cancel = { type: "CancelBooking", accountId: ACCOUNT, reason: null } as const;
    given(history)
      .when(cancel, at + 1)
      .then([cancelled(at + 1, "requested", null, back)]);
    given(history)
      .when({ type: "ExpireBooking" }, T0 + DAY)
      .then([cancelled(T0 + DAY, "expired", null, back)]);
    const soon = [created({ departsAt: T0 + DAY }), credited(10_000, TOTAL - 10_000)];
    given(soon)
      .when({ ...cancel, changes: [] }, at + 1)
      .then([cancelled(at + 1)]);
  });

  test("goes back as far as cheaper seats leave it unused", () => {
    const history = [
      created({ fareAmount: 3_000, surcharges: [2_500, 4_000], totalAmount: 12_500 }),
      credited(10_000, 2_500),
    ];
    const seats = { changeId: "chg_1", seats: ["11A", "11B"], surcharges: [0, 0] };
    given(history)
      .when({ type: "ChangeBooking", accountId: ACCOUNT, seats: { ...seats, flightId: "flt_1" } }, at + 1)
      .then([
        {
          type: "BookingChanged",
          at: at + 1,
          data: {
            ...seats,
            totalAmount: 0,
            creditGivenUp: { accountId: ACCOUNT, creditId: `${BOOKING}/repriced`, amount: 4_000 },
          },
        },
        confirmed(at + 1),
      ]);
  });
});

describe("an upgrade", () => {
  test("of a paid booking changes its cabin, and leaves its price alone", () => {
    given(paid()).when(UPGRADE, at).then([upgraded()]);
    const state = given([...paid(), upgraded()]).state();
    expect(state).toMatchObject({ cabin: "business", seats: [], surcharges: [2_500, 4_000], totalAmount: TOTAL });
    given([...paid(), upgraded()])
      .when(UPGRADE, at)
      .then([]);
  });

  test("of a pending one takes off what its seats would have cost", () => {
    const price = { surcharges: [], totalAmount: 200_000 };
    given([created()])
      .when(UPGRADE, at)
      .then([upgraded(price)]);
    given([created({ seats: [], surcharges: [], totalAmount: 200_000 })])
      .when(UPGRADE, at)
      .then([upgraded()]);
    given([created(), started(T0 + 1)])
      .when(UPGRADE, at)
      .thenRejected("payment_pending");
    given([created({ seats: [], surcharges: [], totalAmount: 200_000 }), transferStarted(T0 + 1)])
      .when(UPGRADE, at)
      .then([upgraded()]);
  });

  test("with credit for the seats alone confirms, and gives back the rest", () => {
    const history = [created({ fareAmount: 4_000, totalAmount: 14_500 }), credited(10_000, 4_500)];
    given(history)
      .when({ ...UPGRADE, redemptionId: "red_2" }, at)
      .then([
        upgraded({
          redemptionId: "red_2",
          surcharges: [],
          totalAmount: 0,
          creditGivenUp: { accountId: ACCOUNT, creditId: `${BOOKING}/repriced`, amount: 2_000 },
        }),
        confirmed(at),
      ]);
  });

  test("is refused when cancelled, departed, or closed", () => {
    given([...paid(), cancelled(T0 + 3)])
      .when(UPGRADE, at)
      .thenRejected("booking_cancelled");
    given(paid()).when(UPGRADE, DEPARTS_AT).thenRejected("flight_departed");
    given([...paid(), closed])
      .when(UPGRADE, at)
      .thenRejected("redemption_closed");
    given([...paid(), { type: "SeatChangeClosed", at, data: { changeId: "red_1" } }])
      .when(UPGRADE, at)
      .thenRejected("redemption_closed");
  });
});

describe("something extra", () => {
  const added: BookingEvent = { type: "RewardAdded", at, data: { redemptionId: "red_1", reward: "extra_baggage" } };

  test("is in the booking's records, once", () => {
    given(paid()).when(BAGGAGE, at).then([added]);
    given([created()]).when(BAGGAGE, at).then([added]);
    given([...paid(), added])
      .when(BAGGAGE, at)
      .then([]);
  });

  test("is refused when cancelled, departed, or closed", () => {
    given([...paid(), cancelled(T0 + 3)])
      .when(BAGGAGE, at)
      .thenRejected("booking_cancelled");
    given(paid()).when(BAGGAGE, DEPARTS_AT).thenRejected("flight_departed");
    given([...paid(), closed])
      .when(BAGGAGE, at)
      .thenRejected("redemption_closed");
  });

  test("a redemption is closed unless it was given", () => {
    given(paid()).when(CLOSE, at).then([closed]);
    given([...paid(), closed])
      .when(CLOSE, at)
      .then([]);
    given([...paid(), added])
      .when(CLOSE, at)
      .then([]);
    given([...paid(), cancelled(T0 + 3)])
      .when(CLOSE, at)
      .then([closed]);
    given([]).when(CLOSE, at).thenRejected("booking_not_found");
  });
});

describe("the points of a booking", () => {
  const refund = {
    type: "RefundPayment",
    accountId: ACCOUNT,
    paymentId: CARD_PAYMENT,
    refundId: REFUND,
    amount: null,
  } as const;
  const flown: BookingEvent = {
    type: "BookingFlown",
    at: DEPARTS_AT,
    data: { accountId: ACCOUNT, amount: TOTAL, pending: TOTAL / 100 },
  };

  const refunded = (when: number, moved: PointsMoved) =>
    refundStarted(when, CARD_PAYMENT, REFUND, TOTAL, "requested_by_customer", null, {
      ...moved,
      keepsLessThanHalf: true,
    });

  test("are pending once it is paid", () => {
    const state = fold(bookingDecider, paid());
    expect(state).toMatchObject(ALL_POINTS.pending === undefined ? {} : { pendingPoints: ALL_POINTS.pending.to });
  });

  test("fall with a refund until it has flown; from then on it is marked", () => {
    given(paid())
      .when(refund, DEPARTS_AT)
      .then([refunded(DEPARTS_AT, NO_POINTS)]);
    given([...paid(), flown])
      .when(refund, DEPARTS_AT)
      .then([refunded(DEPARTS_AT, DEPARTED)]);
  });

  test("of a flight that was retimed fall with a refund from before the booking followed; one that is marked counts", () => {
    const later = { type: "DepartureMoved", at: DEPARTS_AT + 1, data: { departsAt: DEPARTS_AT + DAY } } as const;
    const left = { ...flown, at: DEPARTS_AT + DAY, data: { ...flown.data, amount: 0, pending: 0 } } as BookingEvent;
    const depart = { type: "RecordDeparture" } as const;
    const since = (moved: PointsMoved) => given([...paid(), refunded(DEPARTS_AT, moved), later]);
    since(NO_POINTS)
      .when(depart, DEPARTS_AT + 1)
      .then([]);
    since(NO_POINTS)
      .when(depart, DEPARTS_AT + DAY)
      .then([left]);
    // As former releases recorded it: its due task is closed with the points.
    expect(refundsAfterDeparture(since(DEPARTED).state() as ExistingBooking)).toStrictEqual([REFUND]);
  });

  test("are those of the rate it was made at; without one, a point per hundred as before", () => {
    const pendingAt = (pointsRate: object) => {
      const { data, ...event } = created({ currency: "KWD" });
      const { pointsRate: _, ...former } = data;
      const given = [{ ...event, data: { ...former, ...pointsRate } }, started(T0 + 1)] as const;
      const outcome = {
        type: "RecordPaymentOutcome",
        paymentId: CARD_PAYMENT,
        outcome: { status: "succeeded" },
      } as const;
      const { events } = bookingDecider.decide(outcome, fold(bookingDecider, given), T0 + 2);
      return events.find((event) => event.type === "PaymentSucceeded")?.data.pending?.to;
    };
    expect(pendingAt({ pointsRate: { points: 3, per: 1_000 } })).toBe(3 * 206);
    expect(pendingAt({ pointsRate: { points: 0, per: 1_000 } })).toBeUndefined();
    expect(pendingAt({})).toBe(2_065);
  });

  test("are fixed at departure, once", () => {
    given(paid())
      .when({ type: "RecordDeparture" }, DEPARTS_AT - 1)
      .then([]);
    given(paid()).when({ type: "RecordDeparture" }, DEPARTS_AT).then([flown]);
    given([...paid(), flown])
      .when({ type: "RecordDeparture" }, DEPARTS_AT + 1)
      .then([]);
  });
});
