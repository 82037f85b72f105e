import { describe, expect, test } from "@jest/globals";
import {
  type FlightEvent,
  flightDecider,
  fold,
  HOLD_DURATION,
  holdStatus,
  MAX_EXPIRED_HOLDS_PER_COMMAND,
  seatStatus,
  seatsLeft,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import {
  allocated,
  allocationReleased,
  applied,
  DEPARTURE,
  economy,
  expired,
  held,
  holdReleased,
  LATER,
  NOW,
  plan,
  reserved,
  scheduled,
} from "./sample-flight.ts";

const given = specification(flightDecider);
const hold = (...seats: string[]) => ({ type: "HoldSeats", holdId: "hld_new", accountId: "acc_1", seats }) as const;
const release = (holdId: string, accountId = "acc_1") => ({ type: "ReleaseHold", holdId, accountId }) as const;

describe("holding seats", () => {
  test("free seats of one cabin are held for fifteen minutes, at its fare", () => {
    given([scheduled])
      .when(hold("10A", "11C"), LATER)
      .then([
        {
          type: "SeatsHeld",
          at: LATER,
          data: {
            holdId: "hld_new",
            accountId: "acc_1",
            cabin: "economy",
            seats: ["10A", "11C"],
            expiresAt: LATER + 15 * 60_000,
            fareAmount: 100_000,
          },
        },
      ]);
  });

  test.each<[string, string[], object]>([
    ["no seat", [], { code: "no_seats" }],
    ["a seat named twice", ["10A", "10B", "10A"], { code: "seat_named_twice", facts: { seats: ["10A"] } }],
    [
      "more than nine",
      ["1A", "2A", "3A", "4A", "5A", "6A", "7A", "8A", "9A", "10A"],
      { code: "too_many_seats", facts: { most: 9 } },
    ],
    ["seats there are not", ["10A", "12A", "9F"], { code: "seat_unknown", facts: { seats: ["12A", "9F"] } }],
    ["a number that only looks like a seat", ["010A"], { code: "seat_unknown", facts: { seats: ["010A"] } }],
    ["an empty number", [""], { code: "seat_unknown", facts: { seats: [""] } }],
    ["two cabins", ["10A", "1A"], { code: "seats_span_cabins", facts: { seats: ["10A", "1A"] } }],
    ["a blocked seat", ["10A", "11B"], { code: "seat_blocked", facts: { seats: ["11B"] } }],
    ["booked seats", ["10A", "10C", "10B"], { code: "seat_taken", facts: { seats: ["10C", "10B"] } }],
    ["a held seat", ["10A", "11A"], { code: "seat_held", facts: { seats: ["11A"] } }],
  ])("%s is refused", (_, seats, reason) => {
    given([scheduled, allocated("bkg_1", { seats: ["10B", "10C"] }), held("hld_1", ["11A"])])
      .when(hold(...seats), LATER)
      .thenRejected(reason as { code: "no_seats" });
  });

  test("nine seats may be held at once", () => {
    const wide = { ...plan, cabins: [{ ...economy, rows: [10, 12] as const, blocked: [] }] };
    const seats = ["10A", "10B", "10C", "11A", "11B", "11C", "12A", "12B", "12C"];
    given([{ type: "FlightScheduled", at: NOW, data: wide }])
      .when(hold(...seats), NOW)
      .then([held("hld_new", seats)]);
  });

  test("an unknown seat is said before a taken one, and both before departure", () => {
    const history = [scheduled, allocated("bkg_1", { seats: ["10B"] })];
    given(history).when(hold("10B", "99A"), DEPARTURE).thenRejected("seat_unknown");
    given(history).when(hold("10B"), DEPARTURE).thenRejected("flight_departed");
  });

  test("nothing is held from the moment of departure on", () => {
    given([scheduled])
      .when(hold("10A"), DEPARTURE - 1)
      .then([held("hld_new", ["10A"], DEPARTURE - 1)]);
    given([scheduled]).when(hold("10A"), DEPARTURE).thenRejected({ code: "flight_departed" });
  });

  test("seats owed to passengers without one cannot be held", () => {
    const history = [scheduled, allocated("bkg_1", { passengers: 3 }), held("hld_1", ["10A"])];
    given(history)
      .when(hold("10B", "10C"), LATER)
      .thenRejected({ code: "seats_owed", facts: { seats: ["10B", "10C"], cabin: "economy", seatsLeft: 1 } });
    given(history)
      .when(hold("10B"), LATER)
      .then([held("hld_new", ["10B"], LATER)]);
    given([...history, allocationReleased("bkg_1")])
      .when(hold("10B", "10C"), LATER)
      .then([held("hld_new", ["10B", "10C"], LATER)]);
  });

  test("the old seats of an open change are booked, and free once it is applied", () => {
    const history = [scheduled, allocated("bkg_1", { seats: ["10A"] }), reserved("bkg_1", "chg_1", ["10B"])];
    given(history).when(hold("10A"), LATER).thenRejected("seat_taken");
    given(history).when(hold("10B"), LATER).thenRejected("seat_taken");
    given([...history, applied("bkg_1", "chg_1")])
      .when(hold("10A"), LATER)
      .then([held("hld_new", ["10A"], LATER)]);
    given([...history, applied("bkg_1", "chg_1")])
      .when(hold("10B"), LATER)
      .thenRejected("seat_taken");
  });

  test("the same hold again is recognised, whatever became of it", () => {
    const known = held("hld_new", ["10A"]);
    given([scheduled, known]).when(hold("10A"), LATER).then([]);
    given([scheduled, known, holdReleased("hld_new")])
      .when(hold("10A"), LATER)
      .then([]);
    given([scheduled, known])
      .when(hold("10A"), DEPARTURE)
      .then([expired("hld_new", DEPARTURE)]);
    given([scheduled, held("hld_new", ["10A"], NOW, "acc_2")])
      .when(hold("10A"), LATER)
      .thenRejected("id_taken");
  });
});

describe("a hold past its time", () => {
  const end = NOW + HOLD_DURATION;

  test("is expired from that very moment, though no timer fired", () => {
    given([scheduled, held("hld_1", ["10A"])])
      .when(hold("10A"), end - 1)
      .thenRejected("seat_held");
    given([scheduled, held("hld_1", ["10A"])])
      .when(hold("10A"), end)
      .then([expired("hld_1", end), held("hld_new", ["10A"], end)]);
  });

  test("is recorded even when the command is refused", () => {
    given([scheduled, held("hld_1", ["10A"])])
      .when(hold("11B"), end)
      .thenRejected("seat_blocked", [expired("hld_1", end)]);
  });

  test("gives its places back in the same decision", () => {
    given([scheduled, held("hld_1", ["10A", "10B"]), allocated("bkg_1", { passengers: 3 })])
      .when(hold("10C", "11A"), end)
      .then([expired("hld_1", end), held("hld_new", ["10C", "11A"], end)]);
  });

  test("lapses alone: later ones stay, and those that ended early are not expired again", () => {
    given([
      scheduled,
      held("hld_1", ["10A"]),
      held("hld_2", ["10B"]),
      held("hld_3", ["10C"], LATER),
      holdReleased("hld_1", LATER),
    ])
      .when({ type: "ExpireHolds" }, end)
      .then([expired("hld_2", end)]);
    given([scheduled, held("hld_1", ["10A"])])
      .when({ type: "ExpireHolds" }, end - 1)
      .then([]);
    given([scheduled, held("hld_1", ["10A"]), expired("hld_1", end)])
      .when({ type: "ExpireHolds" }, end)
      .then([]);
  });

  test("hundreds of them lapse in the order they were made", () => {
    const large = { ...plan, cabins: [{ ...economy, rows: [10, 309] as const, blocked: [] }] };
    const rows = Array.from({ length: 300 }, (_, index) => index + 10);
    const history = [
      { type: "FlightScheduled", at: NOW, data: large } as const,
      ...rows.map((row) => held(`hld_${row}`, [`${row}A`], NOW + row)),
      ...rows.filter((row) => row % 3 !== 0).map((row) => holdReleased(`hld_${row}`, LATER)),
    ];
    const due = rows.filter((row) => row % 3 === 0 && row <= 200);
    const at = end + 200;
    given(history)
      .when({ type: "ExpireHolds" }, at)
      .then(due.map((row) => expired(`hld_${row}`, at)));
  });
});

describe("releasing a hold", () => {
  test("an active one is released", () => {
    given([scheduled, held("hld_1", ["10A"])])
      .when(release("hld_1"), LATER)
      .then([holdReleased("hld_1", LATER)]);
  });

  test("unknown, or of another account: not found", () => {
    given([scheduled]).when(release("hld_1"), LATER).thenRejected({ code: "hold_not_found" });
    given([scheduled, held("hld_1", ["10A"])])
      .when(release("hld_1", "acc_2"), LATER)
      .thenRejected("hold_not_found");
  });

  test("released, used or expired already: not active", () => {
    const history = [scheduled, held("hld_1", ["10A"])];
    const refused = (status: string) => ({ code: "hold_not_active", facts: { status } }) as const;
    given([...history, holdReleased("hld_1")])
      .when(release("hld_1"), LATER)
      .thenRejected(refused("released"));
    given([...history, allocated("bkg_1", { seats: ["10A"], holdId: "hld_1" })])
      .when(release("hld_1"), LATER)
      .thenRejected(refused("used"));
    const end = NOW + HOLD_DURATION;
    given([...history, expired("hld_1", end)])
      .when(release("hld_1"), end)
      .thenRejected(refused("expired"));
    given(history)
      .when(release("hld_1"), end)
      .thenRejected(refused("expired"), [expired("hld_1", end)]);
  });

  test("the status of a hold follows the clock only while it is active", () => {
    const expiresAt = NOW + HOLD_DURATION;
    expect(holdStatus({ status: "active", expiresAt }, expiresAt - 1)).toBe("active");
    expect(holdStatus({ status: "active", expiresAt }, expiresAt)).toBe("expired");
    expect(holdStatus({ status: "used", expiresAt }, expiresAt)).toBe("used");
    expect(holdStatus({ status: "released", expiresAt }, expiresAt)).toBe("released");
  });
});

const HOLDS = MAX_EXPIRED_HOLDS_PER_COMMAND + 44;
const AT = NOW + HOLD_DURATION;
const seatOf = (index: number) => `${index + 1}A`;
const LAST = HOLDS - 1;

/** A flight of 300 seats, all of them held by holds nobody has looked at since. */
const history: readonly FlightEvent[] = [
  {
    type: "FlightScheduled",
    at: NOW,
    data: { ...plan, cabins: [{ ...economy, layout: "A", rows: [1, HOLDS], exitRows: [], blocked: [] }] },
  },
  ...Array.from({ length: HOLDS }, (_, index) => held(`hld_${index}`, [seatOf(index)])),
];

describe("more holds lapsed than one command records", () => {
  const hold = { type: "HoldSeats", holdId: "hld_new", accountId: "acc_2", seats: [seatOf(LAST)] } as const;
  const state = () => fold(flightDecider, history);

  test("the oldest are recorded, and the rest read as lapsed all the same", () => {
    const flight = state();
    const { events, rejection } = flightDecider.decide(hold, flight, AT);
    expect(rejection).toBeUndefined();
    const lapsed = Array.from({ length: MAX_EXPIRED_HOLDS_PER_COMMAND }, (_, index) => expired(`hld_${index}`, AT));
    expect(events.slice(0, -1)).toStrictEqual(lapsed);
    expect(events.at(-1)).toMatchObject({ type: "SeatsHeld", data: { holdId: "hld_new" } });
  });

  test("the next command records the rest; what was promised meanwhile stays promised", () => {
    const first = flightDecider.decide(hold, state(), AT).events;
    const between = first.reduce(flightDecider.evolve, state());
    if (between.status === "unscheduled") throw new Error("it was scheduled");
    expect(seatsLeft(between.occupancy, "economy", AT)).toBe(HOLDS - 1);

    const rest = flightDecider.decide({ type: "ExpireHolds" }, between, AT).events;
    expect(rest).toStrictEqual(
      Array.from({ length: 44 }, (_, index) => expired(`hld_${MAX_EXPIRED_HOLDS_PER_COMMAND + index}`, AT)),
    );
    const after = rest.reduce(flightDecider.evolve, between);
    if (after.status === "unscheduled") throw new Error("it was scheduled");
    expect(seatStatus(after.occupancy, "economy", seatOf(LAST), AT)).toBe("held");
    expect(seatsLeft(after.occupancy, "economy", AT)).toBe(HOLDS - 1);
    expect(flightDecider.decide({ ...hold, holdId: "hld_other" }, after, AT).rejection?.code).toBe("seat_held");
    expect(flightDecider.decide({ type: "ExpireHolds" }, after, AT).events).toStrictEqual([]);
  });

  test("a lapsed hold can neither be released nor used, recorded or not", () => {
    const release = { type: "ReleaseHold", holdId: `hld_${LAST}`, accountId: "acc_1" } as const;
    expect(flightDecider.decide(release, state(), AT).rejection?.code).toBe("hold_not_active");
    const allocate = {
      type: "AllocateSeats",
      bookingId: "bkg_1",
      accountId: "acc_1",
      cabin: "economy",
      passengers: 1,
      seats: [],
      holdId: `hld_${LAST}`,
    } as const;
    expect(flightDecider.decide(allocate, state(), AT).rejection?.code).toBe("hold_not_found");
  });
});
