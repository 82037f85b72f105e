import { expect, test } from "@jest/globals";
import { auditBooking, auditFlight, auditLoyalty, auditPlaces } from "../src/audit.ts";
import {
  type BookingEvent,
  bookingDecider,
  caseIdOf,
  type FlightEvent,
  flightDecider,
  type LoyaltyEvent,
  type Occupant,
} from "../src/index.ts";
import {
  BOOKING,
  CARD_PAYMENT,
  CARD_REFUND,
  cancelled,
  confirmed,
  created,
  flightCancelled,
  given as givenBooking,
  OTHER_AUTOMATIC_REFUND,
  OTHER_PAYMENT,
  paid,
  paidByTransfer,
  received,
  refundStarted,
  returnDue,
  started,
  succeeded,
  T0,
  TOTAL,
  TRANSFER_PAYMENT,
} from "./booking/fixtures.ts";
import { allocated, reserved, scheduled } from "./flight/sample-flight.ts";
import { earned, given as givenPoints, part, setAside } from "./loyalty/fixtures.ts";
import { specification } from "./shared/specification.ts";

function flightWith(...events: readonly FlightEvent[]) {
  const flight = specification(flightDecider)([scheduled, ...events]).state();
  if (flight.status === "unscheduled") throw new Error("it is scheduled");
  return flight;
}

test("a booking is paid once where it is confirmed; no more is refunded than was paid, and of what arrived each cent counts once", () => {
  const audit = (events: readonly BookingEvent[]) => auditBooking(givenBooking(events).state());
  const refund = (id: string, amount: number) =>
    refundStarted(T0 + 9, CARD_PAYMENT, id, amount, "requested_by_customer");
  expect(audit([])).toStrictEqual([]);
  expect(audit([...paid(), refund(CARD_REFUND, TOTAL)])).toStrictEqual([]);
  expect(audit(paidByTransfer())).toStrictEqual([]);
  expect(audit([...paid(), refund(CARD_REFUND, TOTAL), refund(OTHER_AUTOMATIC_REFUND, 1)])).toStrictEqual([
    `${CARD_PAYMENT}: ${TOTAL + 1} of ${TOTAL} are refunded`,
  ]);
  expect(audit([created(), started(T0 + 1), refund(CARD_REFUND, 1)])).toStrictEqual([
    `${CARD_PAYMENT}: 1 of ${TOTAL} are refunded`,
  ]);
  expect(
    audit([...paidByTransfer(), received(T0 + 9, "e2", 10, 10), returnDue(T0 + 9, "e2", 11, "excess")]),
  ).toStrictEqual([
    `${TRANSFER_PAYMENT} is succeeded, and ${TOTAL + 10} of ${TOTAL} count`,
    "e2: of 10, 10 count and 11 go back",
  ]);
  expect(audit([...paidByTransfer(), received(T0 + 9, "e2", 10, 0)])).toStrictEqual([
    "e2: of 10, 0 count and 0 go back",
  ]);
  const arrives = paidByTransfer().filter(({ type }) => type !== "TransferReceived");
  expect(audit(arrives)).toStrictEqual([`${TRANSFER_PAYMENT} is succeeded, and 0 of ${TOTAL} count`]);
  const again = [started(T0 + 9, OTHER_PAYMENT), succeeded(T0 + 9, OTHER_PAYMENT)];
  expect(audit([...paid(), ...again])).toStrictEqual([`it was paid by each of ${CARD_PAYMENT}, ${OTHER_PAYMENT}`]);
  expect(audit([...paid(), ...again, refund(CARD_REFUND, TOTAL)])).toStrictEqual([]);
  const follow = { type: "FollowFlight", flightId: "flt_1", changes: [flightCancelled({ policy: "move" })] } as const;
  const told = bookingDecider.decide(follow, givenBooking(paid()).state(), T0 + 8).events;
  const data = { caseId: caseIdOf(BOOKING, 1), moveId: "m", flightId: "flt_2", departsAt: T0, flightRevision: 0 };
  const price = { seats: [], surcharges: [], totalAmount: TOTAL - 6_500 };
  const withoutSeats: BookingEvent = { type: "BookingMoved", at: T0 + 9, data: { ...data, ...price } };
  expect(audit([...paid(), ...told, withoutSeats, refund(CARD_REFUND, 6_500)])).toStrictEqual([]);
  expect(audit([created(), confirmed(T0 + 1)])).toStrictEqual([`it is confirmed, and nobody has paid its ${TOTAL}`]);
  expect(audit([created({ totalAmount: -1 })])).toStrictEqual(["it costs -1 less 0 of credit"]);
});

test("a flight gives no seat twice, and no cabin more than its places", () => {
  const both = flightWith(allocated("b1", { seats: ["10A"] }), allocated("b2", { seats: ["10A", "10B"] }));
  expect(auditFlight(both)).toStrictEqual(["seat 10A has b1 and b2"]);
  expect(auditFlight(flightWith(allocated("b1", { passengers: 5 })))).toStrictEqual([]);
  expect(auditFlight(flightWith(allocated("b1", { passengers: 6 })))).toStrictEqual([
    "economy has 5 places, and 6 passengers",
  ]);
  // A passenger's old and new seat count once.
  expect(auditFlight(flightWith(allocated("b1", { seats: ["10A"] }), reserved("b1", "c1", ["10A"])))).toStrictEqual([]);
});

test("a booking that is not cancelled has its places on its flight, but for a change that is under way", () => {
  const audit = (events: readonly BookingEvent[], ...onFlight: readonly FlightEvent[]) =>
    auditPlaces(
      givenBooking(events).state(),
      flightWith(...onFlight).occupancy.occupants.get(BOOKING) as Occupant | undefined,
    );
  expect(audit(paid())).toStrictEqual(["it has no places on flt_1"]);
  expect(audit([created(), cancelled(T0 + 1)])).toStrictEqual([]);
  expect(audit(paid(), allocated(BOOKING, { seats: ["10A", "10B"] }))).toStrictEqual([]);
  const other = allocated(BOOKING, { seats: ["10A", "10C"] });
  expect(audit(paid(), other)).toStrictEqual(["it is 2 economy 10A,10B, and on flt_1 2 economy 10A,10C"]);
  expect(audit(paid(), other, reserved(BOOKING, "c1", ["10A", "10B"]))).toStrictEqual([]);
});

test("the balance of points is what the lots hold, and no credit is owed", () => {
  const audit = (...events: readonly LoyaltyEvent[]) => auditLoyalty(givenPoints(events).state());
  const aside = setAside(T0, "extra_baggage", 8_000, [part("bkg_1", earned(T0).data.expiresAt, 8_000)]);
  expect(audit(earned(T0), aside)).toStrictEqual([]);
  const posting = { id: "ltx_1", points: 10_000, balanceAfter: 10_001 };
  expect(audit(earned(T0, { posting }))).toStrictEqual(["its balance is 10001, and its points are 10000"]);
  const claimed = { accountId: "acc_1", bookingId: "bkg_9", amount: 5 };
  expect(audit({ type: "CreditClaimed", at: T0, data: claimed })).toStrictEqual(["its credit is -5"]);
});
