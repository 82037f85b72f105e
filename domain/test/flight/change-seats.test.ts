import { describe, test } from "@jest/globals";
import { flightDecider, HOLD_DURATION, type ReserveSeatChange } from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import {
  allocated,
  allocationReleased,
  applied,
  DEPARTURE,
  dropped,
  expired,
  held,
  LATER,
  NOW,
  reserved,
  scheduled,
} from "./sample-flight.ts";

const given = specification(flightDecider);
const booked = [scheduled, allocated("bkg_1", { seats: ["10A", "10B"] })];

function reserve(seats: readonly string[], about: Partial<ReserveSeatChange> = {}): ReserveSeatChange {
  const change = { bookingId: "bkg_1", accountId: "acc_1", changeId: "chg_1" };
  return { type: "ReserveSeatChange", ...change, seats, holdId: null, ...about };
}

describe("reserving a change of seats", () => {
  test("free seats are reserved beside the old ones, with their surcharges", () => {
    given(booked)
      .when(reserve(["11C", "10C"]), LATER)
      .then([
        {
          type: "SeatChangeReserved",
          at: LATER,
          data: {
            bookingId: "bkg_1",
            changeId: "chg_1",
            seats: ["11C", "10C"],
            surcharges: [6_500, 2_500],
            holdId: null,
          },
        },
      ]);
  });

  test("seats of the booking may be swapped, or kept in part", () => {
    given(booked)
      .when(reserve(["10B", "10A"]), LATER)
      .then([reserved("bkg_1", "chg_1", ["10B", "10A"], null, LATER)]);
    given(booked)
      .when(reserve(["10B", "10C"]), LATER)
      .then([reserved("bkg_1", "chg_1", ["10B", "10C"], null, LATER)]);
  });

  test("a booking without seats chooses them though the cabin is full: it has its places", () => {
    given([scheduled, allocated("bkg_1", { passengers: 5 })])
      .when(reserve(["10A", "10B", "10C", "11A", "11C"]), LATER)
      .then([reserved("bkg_1", "chg_1", ["10A", "10B", "10C", "11A", "11C"], null, LATER)]);
  });

  test("old and new seats count once per passenger", () => {
    const open = [...booked, reserved("bkg_1", "chg_1", ["10C", "11A"])];
    const allocate = { type: "AllocateSeats", bookingId: "bkg_2", accountId: "acc_1", cabin: "economy" } as const;
    given(open)
      .when({ ...allocate, passengers: 3, seats: [], holdId: null }, LATER)
      .then([allocated("bkg_2", { passengers: 3 }, LATER)]);
    given(open)
      .when({ ...allocate, passengers: 4, seats: [], holdId: null }, LATER)
      .thenRejected("cabin_sold_out");
  });

  test.each<[string, readonly string[], object]>([
    ["no seat", [], { code: "seat_count_mismatch", facts: { passengers: 2, seats: 0 } }],
    ["too few seats", ["10C"], { code: "seat_count_mismatch", facts: { passengers: 2, seats: 1 } }],
    ["a seat twice", ["10C", "10C"], { code: "seat_named_twice", facts: { seats: ["10C"] } }],
    ["an unknown seat", ["10C", "77A"], { code: "seat_unknown", facts: { seats: ["77A"] } }],
    [
      "a seat of another cabin",
      ["10C", "1A"],
      { code: "seat_in_other_cabin", facts: { seats: ["1A"], cabin: "economy" } },
    ],
    ["a blocked seat", ["10A", "11B"], { code: "seat_blocked", facts: { seats: ["11B"] } }],
    ["another booking's seat", ["10A", "11A"], { code: "seat_taken", facts: { seats: ["11A"] } }],
    ["a held seat", ["10A", "11C"], { code: "seat_held", facts: { seats: ["11C"] } }],
  ])("%s is refused", (_, seats, reason) => {
    given([...booked, allocated("bkg_2", { seats: ["11A"] }), held("hld_1", ["11C"])])
      .when(reserve(seats), LATER)
      .thenRejected(reason as { code: "seat_taken" });
  });

  test("a hold's seats are taken, and the hold is used up; those not chosen are free", () => {
    const holding = [...booked, held("hld_1", ["10C", "11A"])];
    const taken = reserved("bkg_1", "chg_1", ["10C", "11A"], "hld_1", LATER);
    given(holding)
      .when(reserve([], { holdId: "hld_1" }), LATER)
      .then([taken]);
    const partly = reserved("bkg_1", "chg_1", ["10A", "10C"], "hld_1", LATER);
    given(holding)
      .when(reserve(["10A", "10C"], { holdId: "hld_1" }), LATER)
      .then([partly]);
    given([...holding, partly])
      .when({ type: "HoldSeats", holdId: "hld_2", accountId: "acc_2", seats: ["11A"] }, LATER)
      .then([held("hld_2", ["11A"], LATER, "acc_2")]);
    given([...holding, partly])
      .when({ type: "ReleaseHold", holdId: "hld_1", accountId: "acc_1" }, LATER)
      .thenRejected({ code: "hold_not_active", facts: { status: "used" } });
  });

  test("the hold must be active, of the same account and cabin, and hold one seat per passenger", () => {
    const end = NOW + HOLD_DURATION;
    const command = reserve([], { holdId: "hld_1" });
    given(booked).when(command, LATER).thenRejected({ code: "hold_not_found" });
    given([...booked, held("hld_1", ["10C", "11A"], NOW, "acc_2")])
      .when(command, LATER)
      .thenRejected("hold_not_found");
    given([...booked, held("hld_1", ["10C", "11A"])])
      .when(command, end)
      .thenRejected("hold_not_found", [expired("hld_1", end)]);
    given([...booked, held("hld_1", ["1A", "1C"])])
      .when(command, LATER)
      .thenRejected("hold_cabin_mismatch");
    given([...booked, held("hld_1", ["10C"])])
      .when(command, LATER)
      .thenRejected("seat_count_mismatch");
  });

  test("one change at a time", () => {
    const open = [...booked, reserved("bkg_1", "chg_0", ["10C", "11A"])];
    given(open)
      .when(reserve(["10A", "11C"]), LATER)
      .thenRejected({ code: "seat_change_open" });
    given([...open, dropped("bkg_1", "chg_0")])
      .when(reserve(["10C", "11C"]), LATER)
      .then([reserved("bkg_1", "chg_1", ["10C", "11C"], null, LATER)]);
    given([...open, applied("bkg_1", "chg_0")])
      .when(reserve(["10A", "11A"]), LATER)
      .then([reserved("bkg_1", "chg_1", ["10A", "11A"], null, LATER)]);
  });

  test("the same change again is recognised, whatever became of it", () => {
    const open = [...booked, reserved("bkg_1", "chg_1", ["10C", "11A"])];
    const command = reserve(["10C", "11A"]);
    given(open).when(command, DEPARTURE).then([]);
    given([...open, applied("bkg_1", "chg_1")])
      .when(command, LATER)
      .then([]);
    given([...open, dropped("bkg_1", "chg_1")])
      .when(command, LATER)
      .then([]);
    given([...open, allocated("bkg_2", { seats: ["11C"] })])
      .when({ ...command, bookingId: "bkg_2" }, LATER)
      .thenRejected("id_taken");
  });

  test("needs an allocation of that account that was not given back, before departure", () => {
    given([scheduled])
      .when(reserve(["10C", "11A"]), LATER)
      .thenRejected({ code: "allocation_not_found" });
    given(booked)
      .when(reserve(["10C", "11A"], { accountId: "acc_2" }), LATER)
      .thenRejected("allocation_not_found");
    given([...booked, allocationReleased("bkg_1")])
      .when(reserve(["10C", "11A"]), LATER)
      .thenRejected({ code: "allocation_released" });
    given(booked)
      .when(reserve(["10C", "11A"]), DEPARTURE)
      .thenRejected({ code: "flight_departed" });
  });
});

describe("ending a change of seats", () => {
  const apply = { type: "ApplySeatChange", bookingId: "bkg_1", changeId: "chg_1" } as const;
  const drop = { type: "DropSeatChange", bookingId: "bkg_1", changeId: "chg_1" } as const;
  const open = [...booked, reserved("bkg_1", "chg_1", ["10B", "10C"])];
  const hold = (seat: string) => ({ type: "HoldSeats", holdId: "hld_1", accountId: "acc_1", seats: [seat] }) as const;

  test("applied: the new seats stay, the old ones are free", () => {
    given(open)
      .when(apply, LATER)
      .then([applied("bkg_1", "chg_1", LATER)]);
    const after = [...open, applied("bkg_1", "chg_1")];
    given(after)
      .when(hold("10A"), LATER)
      .then([held("hld_1", ["10A"], LATER)]);
    for (const seat of ["10B", "10C"]) given(after).when(hold(seat), LATER).thenRejected("seat_taken");
  });

  test("dropped: the old seats stay, the new ones are free", () => {
    given(open)
      .when(drop, LATER)
      .then([dropped("bkg_1", "chg_1", LATER)]);
    const after = [...open, dropped("bkg_1", "chg_1")];
    given(after)
      .when(hold("10C"), LATER)
      .then([held("hld_1", ["10C"], LATER)]);
    for (const seat of ["10A", "10B"]) given(after).when(hold(seat), LATER).thenRejected("seat_taken");
  });

  test("both are accepted after departure, when the booking decided before", () => {
    given(open)
      .when(apply, DEPARTURE)
      .then([applied("bkg_1", "chg_1", DEPARTURE)]);
    given(open)
      .when(drop, DEPARTURE)
      .then([dropped("bkg_1", "chg_1", DEPARTURE)]);
  });

  test("again: nothing; the other way round: refused", () => {
    const done = [...open, applied("bkg_1", "chg_1")];
    const undone = [...open, dropped("bkg_1", "chg_1")];
    given(done).when(apply, LATER).then([]);
    given(undone).when(drop, LATER).then([]);
    given(done).when(drop, LATER).thenRejected({ code: "seat_change_not_open" });
    given(undone).when(apply, LATER).thenRejected({ code: "seat_change_not_open" });
  });

  test("after the booking gave everything back neither changes anything", () => {
    const gone = [...open, allocationReleased("bkg_1")];
    given(gone).when(apply, LATER).then([]);
    given(gone).when(drop, LATER).then([]);
  });

  test("a change never reserved cannot be applied and needs no dropping", () => {
    given(booked).when(apply, LATER).thenRejected({ code: "seat_change_not_found" });
    given(booked).when(drop, LATER).then([]);
    given(open)
      .when({ ...apply, bookingId: "bkg_2" }, LATER)
      .thenRejected("seat_change_not_found");
    given(open)
      .when({ ...drop, bookingId: "bkg_2" }, LATER)
      .then([]);
  });
});
