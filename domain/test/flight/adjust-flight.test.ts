import { describe, test } from "@jest/globals";
import { type FlightEvent, flightDecider } from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import { allocated, cancelledFlight, held, LATER, NOW, plan, scheduled } from "./sample-flight.ts";

const given = specification(flightDecider);
const block = (seat: string) => ({ type: "BlockSeat", seat, reason: "armrest" }) as const;
const unblock = (seat: string) => ({ type: "UnblockSeat", seat }) as const;
const blocked = (seat: string, at = LATER): FlightEvent => ({
  type: "SeatBlocked",
  at,
  data: { cabin: "economy", seat, reason: "armrest" },
});

describe("a seat that an operator blocks", () => {
  test("is nobody's, and stays blocked until it is given back", () => {
    given([scheduled])
      .when(block("10A"), LATER)
      .then([blocked("10A")]);
    given([scheduled, blocked("10A")])
      .when(block("10A"), LATER)
      .then([]);
    const data = { cabin: "economy", seat: "10A" } as const;
    given([scheduled, blocked("10A")])
      .when(unblock("10A"), LATER)
      .then([{ type: "SeatUnblocked", at: LATER, data }]);
  });

  test("is refused where it is held, booked or owed, or there is none", () => {
    given([scheduled, held("hld_1", ["10A"])])
      .when(block("10A"), LATER)
      .thenRejected("seat_held");
    given([scheduled, allocated("bkg_1", { seats: ["10A"] })])
      .when(block("10A"), LATER)
      .thenRejected("seat_taken");
    given([scheduled, allocated("bkg_1", { passengers: 5 })])
      .when(block("10A"), LATER)
      .thenRejected("seats_owed");
    given([scheduled]).when(block("99Z"), LATER).thenRejected("seat_unknown");
    given([scheduled, cancelledFlight(0)])
      .when(block("10A"), LATER)
      .thenRejected("flight_cancelled");
  });

  test("is taken by nobody, and not left for sale", () => {
    const hold = { type: "HoldSeats", holdId: "hld_1", accountId: "acc_1", seats: ["10A"] } as const;
    given([scheduled, blocked("10A")])
      .when(hold, LATER)
      .thenRejected("seat_blocked");
    const rest = ["10A", "10B", "10C", "11A"].map((seat) => blocked(seat));
    const { seats: _, ...party } = { ...hold, bookingId: "bkg_1", cabin: "economy", passengers: 2 } as const;
    given([scheduled, ...rest])
      .when({ ...party, type: "AllocateSeats", seats: [], holdId: null }, LATER)
      .thenRejected("cabin_sold_out");
  });

  test("of the plan stays as the plan has it, and an import compares without those of operators", () => {
    given([scheduled]).when(block("11B"), LATER).then([]);
    given([scheduled]).when(unblock("11B"), LATER).thenRejected("seat_blocked");
    given([scheduled]).when(unblock("10A"), LATER).then([]);
    given([scheduled, blocked("10A")])
      .when({ type: "ScheduleFlight", plan }, LATER)
      .then([]);
  });
});

describe("a fare that an operator changes", () => {
  const change = (amount: number) => ({ type: "ChangeFare", cabin: "economy", amount }) as const;
  const changed = (amount: number, at = LATER): FlightEvent => ({
    type: "FareChanged",
    at,
    data: { cabin: "economy", amount },
  });

  test("counts from then on, and an import with another fare changes it again", () => {
    given([scheduled])
      .when(change(90_000), LATER)
      .then([changed(90_000)]);
    given([scheduled]).when(change(100_000), LATER).then([]);
    given([scheduled, changed(90_000, NOW)])
      .when({ type: "ScheduleFlight", plan }, LATER)
      .then([changed(100_000)]);
  });

  test("is refused in a cabin that the flight has not, and once it is cancelled", () => {
    given([scheduled])
      .when({ ...change(1), cabin: "first" }, LATER)
      .thenRejected("cabin_not_on_flight");
    given([scheduled, cancelledFlight(0)])
      .when(change(1), LATER)
      .thenRejected("flight_cancelled");
  });
});
