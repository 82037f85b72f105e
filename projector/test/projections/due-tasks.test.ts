import { afterEach, describe, expect, test } from "@jest/globals";
import { type BookingEvent, DAY, FOLLOW_UP_GRACE, RECOVERY_GRACE } from "@travel-booking/domain";
import { dueTasks } from "../../src/projections/due-tasks.ts";
import {
  T0 as BOOKED,
  BOOKING,
  CARD_PAYMENT,
  cancelled,
  cardStarted,
  confirmed,
  created,
  ofBooking,
  succeeded,
  transferStarted,
} from "./kit/booking-history.ts";
import { closeAll, DELIVERIES, deliver, type GivenEvent, type ProjectedModels } from "./kit/deliver.ts";
import { dueList } from "./kit/due-list.ts";
import { allocated, HOLD_EXPIRES_AT, held, released, scheduled, T0 } from "./kit/flight-history.ts";

/** What a booking earns is owed from its making on. */
const EARNING = { kind: "earn_points", bookingId: BOOKING, dueAt: created().data.departsAt };

const due = (made: ProjectedModels): Promise<readonly unknown[]> => dueList(made);

describe.each(DELIVERIES)("due tasks, delivered %s", (delivery) => {
  let made: ProjectedModels;
  afterEach(closeAll);

  test("are in the order of their due times", async () => {
    const history = [scheduled("F-1"), held("F-1", "h1", ["10A"]), allocated("F-1", BOOKING)];
    made = await deliver(dueTasks, history, delivery);
    expect(await due(made)).toStrictEqual([
      { kind: "claim_allocation", flightId: "F-1", bookingId: BOOKING, dueAt: T0 + 1 + RECOVERY_GRACE },
      { kind: "expire_hold", flightId: "F-1", holdId: "h1", dueAt: HOLD_EXPIRES_AT },
    ]);
    expect(await made.body("obligations.due", "h1/expire_hold")).toStrictEqual({ flightId: "F-1", holdId: true });
  });

  test("go with the event that shows them done, of whatever stream", async () => {
    const history = [
      scheduled("F-1"),
      held("F-1", "h1", ["10A"]),
      allocated("F-1", BOOKING, { seats: ["10A"], holdId: "h1" }),
      ...ofBooking([created(), cardStarted(BOOKED + 1)]),
    ];
    made = await deliver(dueTasks, history, delivery);
    expect(await due(made)).toStrictEqual([
      { kind: "close_payment", bookingId: BOOKING, paymentId: CARD_PAYMENT, dueAt: BOOKED + 1 + RECOVERY_GRACE },
      { kind: "expire_booking", bookingId: BOOKING, dueAt: BOOKED + DAY },
      EARNING,
    ]);
    const paid = ofBooking([succeeded(BOOKED + 2, CARD_PAYMENT), confirmed(BOOKED + 2)]);
    made = await deliver(dueTasks, [...history, ...paid], delivery);
    expect(await due(made)).toStrictEqual([EARNING]);
    const gone = ofBooking([cancelled(BOOKED + 3)]);
    made = await deliver(dueTasks, [...history, ...paid, ...gone], delivery);
    expect(await due(made)).toStrictEqual([
      { kind: "release_seats", bookingId: BOOKING, dueAt: BOOKED + 3 + FOLLOW_UP_GRACE },
    ]);
    made = await deliver(dueTasks, [...history, ...paid, ...gone, released("F-1", BOOKING)], delivery);
    expect(await due(made)).toStrictEqual([]);
  });

  test("seats of a booking that ran out of time are due at once: no request gives them back", async () => {
    made = await deliver(dueTasks, ofBooking([created(), cancelled(BOOKED + DAY, "expired")]), delivery);
    expect(await due(made)).toStrictEqual([{ kind: "release_seats", bookingId: BOOKING, dueAt: BOOKED + DAY }]);
  });

  test("a claim on an e-mail address is owed a profile, and one that is given up its release", async () => {
    const claim = { claimId: "c1", emailKey: "e1" };
    const owned = { accountId: "acc_1", passengerId: "psg_1", ...claim };
    const claimed: GivenEvent = ["passengerEmail-acc_1-e1", { type: "EmailClaimed", at: T0, data: owned }];
    const saved: GivenEvent = ["passenger-psg_1", { type: "PassengerCreated", at: T0, data: { ...owned, claim } }];
    const gone: GivenEvent = [
      "passenger-psg_1",
      { type: "PassengerDeleted", at: T0 + 1, data: { ...owned, freed: claim } },
    ];
    const freed: GivenEvent = ["passengerEmail-acc_1-e1", { type: "EmailReleased", at: T0 + 2, data: owned }];
    const history = [claimed, saved, gone, freed];
    const owedAfter = async (events: number) => due(await deliver(dueTasks, history.slice(0, events), delivery));
    expect(await owedAfter(1)).toStrictEqual([{ kind: "settle_email_claim", ...owned, dueAt: T0 + RECOVERY_GRACE }]);
    expect(await owedAfter(2)).toStrictEqual([]);
    expect(await owedAfter(3)).toStrictEqual([{ kind: "release_email", ...owned, dueAt: T0 + 1 + FOLLOW_UP_GRACE }]);
    expect(await owedAfter(4)).toStrictEqual([]);
  });

  test("one of the same name takes the other's place", async () => {
    made = await deliver(dueTasks, ofBooking([created(), transferStarted(BOOKED + 1)]), delivery);
    expect(await due(made)).toStrictEqual([
      { kind: "expire_booking", bookingId: BOOKING, dueAt: BOOKED + 1 + 3 * DAY },
      EARNING,
    ]);
  });

  test("a booking that gives up its seats for a better cabin is due others, once it is paid", async () => {
    const seated = created();
    const upgraded = (at: number): BookingEvent => ({
      type: "CabinUpgraded",
      at,
      data: { redemptionId: "red_1", cabin: "business" },
    });
    const seats: BookingEvent = {
      type: "BookingChanged",
      at: BOOKED + 9,
      data: { changeId: "chg_1", seats: ["1A", "1B"] },
    };
    const assignment = { kind: "assign_seats", bookingId: BOOKING, dueAt: seated.data.departsAt - DAY };
    const dueAfter = async (...events: readonly BookingEvent[]) => {
      const open = await due(await deliver(dueTasks, ofBooking([seated, ...events]), delivery));
      return open.filter((task) => (task as { readonly kind: string }).kind === "assign_seats");
    };
    expect(await dueAfter(confirmed(BOOKED + 2))).toStrictEqual([]);
    expect(await dueAfter(confirmed(BOOKED + 2), upgraded(BOOKED + 3))).toStrictEqual([assignment]);
    expect(await dueAfter(upgraded(BOOKED + 2))).toStrictEqual([]);
    expect(await dueAfter(upgraded(BOOKED + 2), confirmed(BOOKED + 3))).toStrictEqual([assignment]);
    expect(await dueAfter(upgraded(BOOKED + 2), confirmed(BOOKED + 3), seats)).toStrictEqual([]);
    expect(await dueAfter(upgraded(BOOKED + 2), seats, confirmed(BOOKED + 10))).toStrictEqual([]);
    expect(await dueAfter(confirmed(BOOKED + 2), upgraded(BOOKED + 3), cancelled(BOOKED + 4))).toStrictEqual([]);
  });

  test("a booking that has no place on another ship is due no seats before it has one again", async () => {
    const seated = created();
    const told = (type: "BookingDisrupted" | "CaseRevised", about: object = {}): BookingEvent => {
      const journey = { flightId: "F", departsAt: seated.data.departsAt, durationDays: 1, cabin: "economy", seats: [] };
      const facts = { caseId: "dcs_1", disruptionId: "dis_1", kind: "equipment_changed", reason: null } as const;
      const data = { ...facts, flightRevision: 1, significant: true, before: journey, after: null, ...about };
      return { type, at: BOOKED + 3, data } as BookingEvent;
    };
    const none: BookingEvent = { type: "BookingChanged", at: BOOKED + 3, data: { changeId: null, seats: [] } };
    const gone = [seated, confirmed(BOOKED + 2), told("BookingDisrupted", { unplaced: true }), none];
    const kinds = async (...events: readonly BookingEvent[]) => {
      const open = await due(await deliver(dueTasks, ofBooking([...gone, ...events]), delivery));
      return open.map((task) => (task as { readonly kind: string }).kind).filter((kind) => kind === "assign_seats");
    };
    expect(await kinds()).toStrictEqual([]);
    expect(await kinds(told("CaseRevised"))).toStrictEqual(["assign_seats"]);
  });
});
