import { describe, expect, test } from "@jest/globals";
import {
  type AllocateMove,
  DAY,
  type FlightEvent,
  type FlightPlan,
  flightDecider,
  fold,
  HOUR,
  moverFrom,
  placesFor,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import { allocated, cancelledFlight, DEPARTURE, economy, held, LATER, NOW, plan, scheduled } from "./sample-flight.ts";

const given = specification(flightDecider);
const BOOKING = "bkg_1";
const MOVE = "move_1";

/** A booking of two with these seats on a flight with this plan. */
function moverOf(seats: readonly string[], on: FlightPlan = plan) {
  const flight = fold(flightDecider, [{ ...scheduled, data: { ...on, flightId: "KP441" } } as FlightEvent]);
  const facts = { bookingId: BOOKING, accountId: "acc_1", cabin: "economy", passengers: 2, currency: "USD" } as const;
  return moverFrom(flight, { ...facts, seats });
}

function move(about: Partial<AllocateMove> = {}): AllocateMove {
  return { type: "AllocateMove", ...moverOf([]), moveId: MOVE, seats: [], holdId: null, ...about };
}

const moved = (about: object = {}, moveId = MOVE) =>
  allocated(BOOKING, { passengers: 2, moveId, ...about } as object, LATER);
const asked = { agreed: DEPARTURE, paid: 6_500 };

describe("places for a booking of another flight", () => {
  test("beside those that it has there, if there is room for all of its party", () => {
    given([scheduled]).when(move(), LATER).then([moved()]);
    const full = [scheduled, allocated("bkg_2", { passengers: 4 })];
    given(full)
      .when(move(), LATER)
      .thenRejected({ code: "flight_sold_out", facts: { cabin: "economy", seatsLeft: 1 } });
    given(full)
      .when(move({ onlyAsked: true }), LATER)
      .thenRejected("flight_sold_out");
    given([scheduled])
      .when(move({ onlyAsked: true }), LATER)
      .then([]);
  });

  test("the same seats where all are free and alike; else none, which are assigned as ever", () => {
    given([scheduled])
      .when(move(moverOf(["10A", "10B"])), LATER)
      .then([moved({ seats: ["10A", "10B"] })]);
    given([scheduled, allocated("bkg_2", { seats: ["10B"] })])
      .when(move(moverOf(["10A", "10B"])), LATER)
      .then([moved()]);
    const otherShip: FlightPlan = { ...plan, cabins: [{ ...economy, layout: "A BC" }] };
    given([scheduled])
      .when(move(moverOf(["10A", "10B"], otherShip)), LATER)
      .then([moved()]);
  });

  test("of the carrier also where sales are closed, and in no quota; never on a flight that goes elsewhere or not at all", () => {
    const closed: FlightEvent = { type: "SalesClosed", at: NOW, data: { revision: 1, reason: null } };
    given([scheduled, closed])
      .when(move(), LATER)
      .then([moved({ flightRevision: 1 })]);
    given([scheduled, cancelledFlight()]).when(move(), LATER).thenRejected("flight_cancelled");
    for (const other of [{ from: "LUN" }, { destinationId: "proxima-b" }, { currency: "EUR" }])
      given([scheduled]).when(move(other), LATER).thenRejected("rebook_not_allowed");
    given([scheduled])
      .when(move({ cabin: "first" }), LATER)
      .thenRejected("cabin_not_on_flight");
    given([scheduled]).when(move(), DEPARTURE).thenRejected("flight_departed");
  });

  test("another attempt's places are taken over, unless others are asked for; those that it is about to leave are not", () => {
    const left = [scheduled, moved({ seats: ["10A", "10B"] })];
    given(left)
      .when(move({ moveId: "move_2" }), LATER)
      .then([]);
    given(left).when(move(), LATER).then([]);
    given(left)
      .when(move({ moveId: "move_2", seats: ["10B", "10C"] }), LATER)
      .thenRejected("seat_change_open");
    given([scheduled, allocated(BOOKING, { passengers: 2 })])
      .when(move(), LATER)
      .thenRejected("seat_change_open");
    const state = given(left).state();
    expect(placesFor(state, BOOKING)).toStrictEqual({
      moveId: MOVE,
      flightId: plan.flightId,
      flightRevision: 0,
      departsAt: DEPARTURE,
      durationDays: 480,
      cabin: "economy",
      seats: ["10A", "10B"],
    });
    expect(placesFor(state, "bkg_2")).toBeUndefined();
  });

  test("are not for a repeated request where the flight has changed since: the booking would never follow that", () => {
    const closed: FlightEvent = { type: "SalesClosed", at: LATER, data: { revision: 1, reason: null } };
    const known = [scheduled, closed, moved({ flightRevision: 1 })];
    expect(placesFor(given(known).state(), BOOKING)?.flightRevision).toBe(1);
    expect(placesFor(given([...known, cancelledFlight(2)]).state(), BOOKING)).toBe(undefined);
    expect(placesFor(given([scheduled, moved(), closed]).state(), BOOKING)).toBe(undefined);
  });
});

describe("a client who asks for another flight", () => {
  test("within fourteen days of what was agreed, both included, and two hours ahead", () => {
    const near = (agreed: number) => move({ asked: { ...asked, agreed } });
    for (const days of [-14, 14])
      given([scheduled])
        .when(near(DEPARTURE + days * DAY), LATER)
        .then([moved()]);
    for (const beyond of [-14 * DAY - 1, 14 * DAY + 1])
      given([scheduled])
        .when(near(DEPARTURE + beyond), LATER)
        .thenRejected("rebook_not_allowed");
    const soon = DEPARTURE - 2 * HOUR;
    given([scheduled])
      .when(move({ asked }), soon)
      .then([{ ...moved(), at: soon } as FlightEvent]);
    given([scheduled])
      .when(move({ asked }), soon + 1)
      .thenRejected("rebook_not_allowed");
  });

  test("only on one that is on sale, or by a hold", () => {
    const closed: FlightEvent = { type: "SalesClosed", at: NOW, data: { revision: 1, reason: null } };
    given([scheduled, closed]).when(move({ asked }), LATER).thenRejected("sales_closed");
    given([scheduled, held("hld_1", ["10A", "10B"]), closed])
      .when(move({ asked, holdId: "hld_1" }), LATER)
      .then([moved({ seats: ["10A", "10B"], holdId: "hld_1", flightRevision: 1 })]);
  });

  test("for seats that are free and cost no more than those that were paid", () => {
    given([scheduled])
      .when(move({ asked, seats: ["10A", "10C"] }), LATER)
      .then([moved({ seats: ["10A", "10C"] })]);
    given([scheduled])
      .when(move({ asked, seats: ["10A", "11A"] }), LATER)
      .thenRejected({ code: "seat_price_fixed", facts: { charged: 6_500, asked: 9_000 } });
    given([scheduled, held("hld_1", ["10A"])])
      .when(move({ asked, seats: ["10A", "10C"] }), LATER)
      .thenRejected("seat_held");
    given([scheduled])
      .when(move({ asked, seats: ["10A"] }), LATER)
      .thenRejected("seat_count_mismatch");
    given([scheduled])
      .when(move({ asked, holdId: "hld_none" }), LATER)
      .thenRejected("hold_not_found");
  });
});

describe("releasing what a move leaves behind", () => {
  const release = { type: "ReleaseAllocation", bookingId: BOOKING, moveId: "move_2" } as const;
  const released: FlightEvent = {
    type: "AllocationReleased",
    at: LATER,
    data: { bookingId: BOOKING, moveId: "move_2" },
  };

  test("frees only the places that it means", () => {
    given([scheduled, moved()])
      .when({ ...release, placedBy: MOVE }, LATER)
      .then([released]);
    for (const placedBy of [undefined, "move_2"])
      given([scheduled, moved()])
        .when({ ...release, placedBy }, LATER)
        .then([]);
    given([scheduled, allocated(BOOKING, { passengers: 2 })])
      .when(release, LATER)
      .then([released]);
  });

  test("gives the hold back where the booking has not moved", () => {
    const taken = [scheduled, held("hld_1", ["10A", "10B"], LATER), moved({ seats: ["10A", "10B"], holdId: "hld_1" })];
    given(taken)
      .when({ ...release, placedBy: MOVE, undone: true }, LATER)
      .then([released, held("hld_1", ["10A", "10B"], LATER)]);
  });
});
