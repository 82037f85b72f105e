import { describe, expect, test } from "@jest/globals";
import {
  type AllocateSeats,
  type FlightEvent,
  findAllocation,
  flightDecider,
  HOLD_DURATION,
  type SeatChangeReserved,
  type SeatsHeld,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import {
  allocated,
  allocationReleased,
  applied,
  DEPARTURE,
  expired,
  held,
  holdReleased,
  LATER,
  NOW,
  reserved,
  scheduled,
} from "./sample-flight.ts";

const given = specification(flightDecider);

function allocate(about: Partial<AllocateSeats> = {}): AllocateSeats {
  const seats = about.seats ?? [];
  const passengers = seats.length === 0 ? 1 : seats.length;
  const party = { bookingId: "bkg_new", accountId: "acc_1", cabin: "economy" as const, passengers, seats };
  return { type: "AllocateSeats", ...party, holdId: null, ...about };
}

describe("allocating seats", () => {
  test("the price is the fare of now and the surcharge of each seat, in order", () => {
    given([scheduled, { type: "FareChanged", at: NOW, data: { cabin: "economy", amount: 90_000 } }])
      .when(allocate({ seats: ["10B", "11A", "10C"] }), LATER)
      .then([
        {
          type: "SeatsAllocated",
          at: LATER,
          data: {
            bookingId: "bkg_new",
            accountId: "acc_1",
            cabin: "economy",
            passengers: 3,
            seats: ["10B", "11A", "10C"],
            holdId: null,
            fareAmount: 90_000,
            currency: "USD",
            surcharges: [0, 6_500, 2_500],
          },
        },
      ]);
  });

  test("without seats places alone are taken, without surcharge", () => {
    given([scheduled])
      .when(allocate({ passengers: 5 }), LATER)
      .then([allocated("bkg_new", { passengers: 5 }, LATER)]);
  });

  test("more passengers than places left: sold out", () => {
    given([scheduled])
      .when(allocate({ passengers: 6 }), LATER)
      .thenRejected({ code: "cabin_sold_out", facts: { cabin: "economy", seatsLeft: 5 } });
    const history = [scheduled, allocated("bkg_1", { passengers: 2 }), allocated("bkg_2", { seats: ["10A"] })];
    given([...history, held("hld_1", ["10B"])])
      .when(allocate({ passengers: 2 }), LATER)
      .thenRejected({ code: "cabin_sold_out", facts: { cabin: "economy", seatsLeft: 1 } });
    given([...history, held("hld_1", ["10B", "10C"])])
      .when(allocate({ seats: ["11A"] }), LATER)
      .thenRejected({ code: "cabin_sold_out", facts: { cabin: "economy", seatsLeft: 0 } });
    given([...history, held("hld_1", ["10B"]), holdReleased("hld_1")])
      .when(allocate({ passengers: 2 }), LATER)
      .then([allocated("bkg_new", { passengers: 2 }, LATER)]);
  });

  test("places given back, and those of lapsed holds, can be had again", () => {
    const end = NOW + HOLD_DURATION;
    const full = [scheduled, allocated("bkg_1", { passengers: 3 }), held("hld_1", ["10A", "10B"])];
    given(full).when(allocate(), LATER).thenRejected("cabin_sold_out");
    given(full)
      .when(allocate({ seats: ["10A"] }), end)
      .then([expired("hld_1", end), allocated("bkg_new", { seats: ["10A"] }, end)]);
    given([...full, allocationReleased("bkg_1")])
      .when(allocate({ passengers: 3 }), LATER)
      .then([allocated("bkg_new", { passengers: 3 }, LATER)]);
  });

  test.each<[string, Partial<AllocateSeats>, object]>([
    ["a cabin the flight has not", { cabin: "first" }, { code: "cabin_not_on_flight", facts: { cabin: "first" } }],
    ["a seat twice", { seats: ["10A", "10A"] }, { code: "seat_named_twice", facts: { seats: ["10A"] } }],
    ["an unknown seat", { seats: ["10A", "19X"] }, { code: "seat_unknown", facts: { seats: ["19X"] } }],
    [
      "a seat of another cabin",
      { seats: ["10A", "1C"] },
      { code: "seat_in_other_cabin", facts: { seats: ["1C"], cabin: "economy" } },
    ],
    [
      "more seats than passengers",
      { seats: ["10A", "10B"], passengers: 1 },
      { code: "seat_count_mismatch", facts: { passengers: 1, seats: 2 } },
    ],
    [
      "fewer seats than passengers",
      { seats: ["10A"], passengers: 2 },
      { code: "seat_count_mismatch", facts: { passengers: 2, seats: 1 } },
    ],
    ["a blocked seat", { seats: ["11B", "10A"] }, { code: "seat_blocked", facts: { seats: ["11B"] } }],
    ["a booked seat", { seats: ["10A", "11C"] }, { code: "seat_taken", facts: { seats: ["11C"] } }],
    ["a held seat", { seats: ["11A", "10A"] }, { code: "seat_held", facts: { seats: ["11A"] } }],
  ])("%s is refused", (_, about, reason) => {
    given([scheduled, allocated("bkg_1", { seats: ["11C"] }), held("hld_1", ["11A"])])
      .when(allocate(about), LATER)
      .thenRejected(reason as { code: "seat_taken" });
  });

  test("nothing is allocated from departure on; what is wrong in itself is said first", () => {
    given([scheduled]).when(allocate(), DEPARTURE).thenRejected({ code: "flight_departed" });
    given([scheduled])
      .when(allocate({ seats: ["1A"] }), DEPARTURE)
      .thenRejected("seat_in_other_cabin");
  });

  test("the same booking again is recognised, even after it gave everything back", () => {
    const mine = allocated("bkg_new", { seats: ["10A"] });
    given([scheduled, mine])
      .when(allocate({ seats: ["10A"] }), DEPARTURE)
      .then([]);
    given([scheduled, mine, allocationReleased("bkg_new")])
      .when(allocate({ seats: ["10A"] }), LATER)
      .then([]);
    given([scheduled, mine])
      .when(allocate({ accountId: "acc_2" }), LATER)
      .thenRejected("id_taken");
  });
});

describe("allocating seats from a hold", () => {
  const holding = [scheduled, held("hld_1", ["10A", "10B"])];

  test("without seats the held ones are taken, and the hold is used up", () => {
    const booked = allocated("bkg_new", { seats: ["10A", "10B"], holdId: "hld_1" }, LATER);
    given(holding)
      .when(allocate({ holdId: "hld_1", passengers: 2 }), LATER)
      .then([booked]);
    given([...holding, booked])
      .when(allocate({ bookingId: "bkg_2", holdId: "hld_1", passengers: 2 }), LATER)
      .thenRejected("hold_not_found");
  });

  test("the fare is that of the hold, or a lower one of now", () => {
    const raised: FlightEvent = { type: "FareChanged", at: LATER, data: { cabin: "economy", amount: 110_000 } };
    const lowered: FlightEvent = { ...raised, data: { cabin: "economy", amount: 90_000 } };
    const book = allocate({ holdId: "hld_1", passengers: 2 });
    const booked = (fareAmount: number) =>
      allocated("bkg_new", { seats: ["10A", "10B"], holdId: "hld_1", fareAmount }, LATER);
    given([...holding, raised])
      .when(book, LATER)
      .then([booked(100_000)]);
    given([...holding, lowered])
      .when(book, LATER)
      .then([booked(90_000)]);
    const again = [...holding, raised, booked(100_000), allocationReleased("bkg_new"), ...holding.slice(1)];
    given(again)
      .when({ ...book, bookingId: "bkg_2" }, LATER)
      .then([allocated("bkg_2", { seats: ["10A", "10B"], holdId: "hld_1" }, LATER)]);
  });

  test("a hold of fewer seats than passengers fixes no fare, whatever seats are named", () => {
    const raised: FlightEvent = { type: "FareChanged", at: LATER, data: { cabin: "economy", amount: 110_000 } };
    const seats = ["10A", "10B", "10C"];
    given([...holding, raised])
      .when(allocate({ holdId: "hld_1", seats }), LATER)
      .then([allocated("bkg_new", { seats, holdId: "hld_1", fareAmount: 110_000 }, LATER)]);
  });

  test("a hold of a former release, which knew no fare, is booked at that of now", () => {
    const { fareAmount: _, ...data } = held("hld_1", ["10A"]).data as SeatsHeld["data"];
    const history: FlightEvent[] = [scheduled, { type: "SeatsHeld", at: NOW, data }];
    const raised: FlightEvent = { type: "FareChanged", at: LATER, data: { cabin: "economy", amount: 110_000 } };
    given([...history, raised])
      .when(allocate({ holdId: "hld_1" }), LATER)
      .then([allocated("bkg_new", { seats: ["10A"], holdId: "hld_1", fareAmount: 110_000 }, LATER)]);
  });

  test("as many must be held as travel", () => {
    given(holding)
      .when(allocate({ holdId: "hld_1", passengers: 1 }), LATER)
      .thenRejected({ code: "seat_count_mismatch", facts: { passengers: 1, seats: 2 } });
  });

  test("with seats each must be free or held by it; held seats not chosen are free again", () => {
    const booked = allocated("bkg_new", { seats: ["10C", "10B"], holdId: "hld_1" }, LATER);
    given(holding)
      .when(allocate({ holdId: "hld_1", seats: ["10C", "10B"] }), LATER)
      .then([booked]);
    given([...holding, booked])
      .when(allocate({ bookingId: "bkg_2", seats: ["10A"] }), LATER)
      .then([allocated("bkg_2", { seats: ["10A"] }, LATER)]);
    given([...holding, held("hld_2", ["10C"])])
      .when(allocate({ holdId: "hld_1", seats: ["10C"] }), LATER)
      .thenRejected({ code: "seat_held", facts: { seats: ["10C"] } });
  });

  test("held places count as the booking's own when the cabin is full", () => {
    const full = [...holding, allocated("bkg_1", { passengers: 3 })];
    given(full)
      .when(allocate({ holdId: "hld_1", passengers: 2 }), LATER)
      .then([allocated("bkg_new", { seats: ["10A", "10B"], holdId: "hld_1" }, LATER)]);
    given(full)
      .when(allocate({ holdId: "hld_1", seats: ["10A", "10B", "10C"] }), LATER)
      .thenRejected({ code: "cabin_sold_out", facts: { cabin: "economy", seatsLeft: 2 } });
  });

  test("the hold must be active and of the same account", () => {
    const refused = { code: "hold_not_found" } as const;
    const refusedAs = (status: "released" | "expired") => ({ ...refused, facts: { status } });
    const end = NOW + HOLD_DURATION;
    const command = allocate({ holdId: "hld_1", passengers: 2 });
    given([scheduled]).when(command, LATER).thenRejected(refused);
    given(holding)
      .when({ ...command, accountId: "acc_2" }, LATER)
      .thenRejected(refused);
    given([...holding, holdReleased("hld_1")])
      .when(command, LATER)
      .thenRejected(refusedAs("released"));
    given(holding)
      .when(command, end)
      .thenRejected(refusedAs("expired"), [expired("hld_1", end)]);
    given(holding)
      .when(command, end - 1)
      .then([allocated("bkg_new", { seats: ["10A", "10B"], holdId: "hld_1" }, end - 1)]);
  });

  test("a hold of another cabin is refused", () => {
    given([scheduled, held("hld_1", ["1A"])])
      .when(allocate({ holdId: "hld_1" }), LATER)
      .thenRejected({ code: "hold_cabin_mismatch", facts: { cabin: "economy", heldIn: "business" } });
  });
});

describe("releasing an allocation", () => {
  const release = { type: "ReleaseAllocation", bookingId: "bkg_1" } as const;

  test("gives it back once, also after departure", () => {
    const history = [scheduled, allocated("bkg_1", { seats: ["10A"] })];
    given(history)
      .when(release, DEPARTURE)
      .then([allocationReleased("bkg_1", DEPARTURE)]);
    given([...history, allocationReleased("bkg_1")])
      .when(release, LATER)
      .then([]);
    given([scheduled]).when(release, LATER).then([]);
  });

  test("frees the seats of an open change too", () => {
    const history = [scheduled, allocated("bkg_1", { seats: ["10A"] }), reserved("bkg_1", "chg_1", ["10B"])];
    given([...history, allocationReleased("bkg_1")])
      .when(allocate({ seats: ["10A", "10B"] }), LATER)
      .then([allocated("bkg_new", { seats: ["10A", "10B"] }, LATER)]);
  });

  test("leaves alone a seat the booking had given up before", () => {
    const history = [
      scheduled,
      allocated("bkg_1", { seats: ["10A"] }),
      reserved("bkg_1", "chg_1", ["10B"]),
      applied("bkg_1", "chg_1"),
      allocated("bkg_2", { seats: ["10A"] }),
      allocationReleased("bkg_1"),
    ];
    given(history)
      .when(allocate({ seats: ["10A"] }), LATER)
      .thenRejected("seat_taken");
    given(history)
      .when(allocate({ seats: ["10B"] }), LATER)
      .then([allocated("bkg_new", { seats: ["10B"] }, LATER)]);
  });

  test("who had something on the flight is known for good, with the last cabin", () => {
    const upgrade = { ...reserved("bkg_1", "chg_1", []), at: NOW } as SeatChangeReserved;
    const state = given([
      scheduled,
      allocated("bkg_1", { passengers: 2 }),
      { ...upgrade, data: { ...upgrade.data, cabin: "business" } },
      applied("bkg_1", "chg_1"),
      allocationReleased("bkg_1"),
    ]).state();
    const known = state.status === "scheduled" ? findAllocation(state, "bkg_1") : undefined;
    expect(known).toStrictEqual({ accountId: "acc_1", cabin: "business", passengers: 2 });
  });
});
