import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  type CabinPlan,
  changesOf,
  type EquipmentChanged,
  type FlightEvent,
  flightDecider,
  layoutOf,
  placesLeft,
  type Reseated,
  type ScheduledFlight,
  seatAt,
  seatsOnSale,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import {
  allocated,
  allocationReleased,
  applied,
  business,
  cancelledFlight,
  DEPARTURE,
  economy,
  held,
  holdReleased,
  LATER,
  NOW,
  plan,
  reserved,
  scheduled,
} from "./sample-flight.ts";

const given = specification(flightDecider);
const ship = (about: Partial<CabinPlan>): readonly CabinPlan[] => [{ ...economy, ...about }, business];
/** Row 10 is as before; row 11 has lost its exits. */
const LONGER = ship({ rows: [10, 13], exitRows: [13] });
/** 10A 10B 10C, as before. */
const SHORT = ship({ rows: [10, 10], exitRows: [], blocked: [] });

const swap = (cabins: readonly CabinPlan[], confirmed: readonly string[] = [], revision = 0) =>
  ({ type: "ChangeEquipment", disruptionId: "dis_1", revision, reason: "engine", cabins, confirmed }) as const;

function changed(
  cabins: readonly CabinPlan[],
  reseated: readonly Reseated[],
  about: Partial<EquipmentChanged["data"]> = {},
): EquipmentChanged {
  const decided = { disruptionId: "dis_1", revision: 1, reason: "engine" };
  return {
    type: "EquipmentChanged",
    at: LATER,
    data: { ...decided, cabins, reseated, bookings: 0, accounts: [], ...about },
  };
}

const flightOf = (events: readonly FlightEvent[]) => given(events).state() as ScheduledFlight;
const onBoard = (bookings: number) => ({ bookings, accounts: ["acc_1"] });

describe("a flight that goes with another ship", () => {
  test("a party keeps its seats where all are alike; else it sits together, as seats are assigned", () => {
    given([
      scheduled,
      allocated("bkg_1", { seats: ["10A", "10B"] }),
      allocated("bkg_2", { seats: ["11A", "11C"] }),
      allocated("bkg_3", { passengers: 1 }),
    ])
      .when(swap(LONGER), LATER)
      .then([changed(LONGER, [{ bookingId: "bkg_2", seats: ["12A", "12B"] }], onBoard(3))]);
  });

  test("confirmed bookings come first, the earliest at the front, then the others as they were made", () => {
    const before = [
      scheduled,
      allocated("bkg_1", { seats: ["11A"] }),
      allocated("bkg_2", { seats: ["11C"] }),
      allocated("bkg_3", { seats: ["10A"] }),
      allocated("bkg_4", { passengers: 1 }),
    ];
    given(before)
      .when(swap(SHORT, ["bkg_4", "bkg_2"]), LATER)
      .then([
        changed(
          SHORT,
          [
            { bookingId: "bkg_2", seats: ["10A"] },
            { bookingId: "bkg_1", seats: ["10B"] },
            { bookingId: "bkg_3", seats: [], overfull: true },
          ],
          onBoard(4),
        ),
      ]);
  });

  test("an overfull cabin sells nothing; who has no place gets one where there is room for all of the party", () => {
    const events = [
      scheduled,
      allocated("bkg_1", { passengers: 2 }),
      allocated("bkg_2", { seats: ["10A", "10B"] }),
      changed(SHORT, [{ bookingId: "bkg_1", seats: [], overfull: true }]),
    ];
    const { occupancy } = flightOf(events);
    expect([seatsOnSale(occupancy, "economy", LATER), placesLeft(occupancy, "economy", LATER)]).toStrictEqual([0, 1]);
    given(events)
      .when({ type: "HoldSeats", holdId: "hld_1", accountId: "acc_1", seats: ["10C"] }, LATER)
      .thenRejected({ code: "seats_owed", facts: { seats: ["10C"], cabin: "economy", seatsLeft: 0 } });
    const preferences = [1, 2].map(() => ({ seat: "any", cryosleep: false }) as const);
    const assign = { type: "AssignSeats", bookingId: "bkg_1", changeId: "chg_1", preferences } as const;
    const full = { code: "cabin_sold_out", facts: { cabin: "economy", seatsLeft: 1 } } as const;
    given(events).when(assign, LATER).thenRejected(full);
    given(events)
      .when({ ...assign, type: "ReserveSeatChange", accountId: "acc_1", seats: ["10C", "10A"], holdId: null }, LATER)
      .thenRejected({ code: "seat_taken", facts: { seats: ["10A"] } });

    const left = [...events, allocationReleased("bkg_2", LATER)];
    const choose = { ...assign, type: "ReserveSeatChange", accountId: "acc_1", seats: ["10A", "10B"] } as const;
    given(left)
      .when({ ...choose, holdId: null }, LATER)
      .then([reserved("bkg_1", "chg_1", ["10A", "10B"], null, LATER)]);
    const seated = [...left, reserved("bkg_1", "chg_1", ["10A", "10B"]), applied("bkg_1", "chg_1")];
    expect(seatsOnSale(flightOf(seated).occupancy, "economy", LATER)).toBe(1);
  });

  test("who is booked in a cabin that the ship lacks has no place", () => {
    const cabins = [economy];
    const events = [scheduled, allocated("bkg_1", { cabin: "business", seats: ["1A"] })];
    given(events)
      .when(swap(cabins), LATER)
      .then([changed(cabins, [{ bookingId: "bkg_1", seats: [], overfull: true }], onBoard(1))]);
    const back = changed(cabins, [{ bookingId: "bkg_1", seats: [], overfull: true }]);
    given([...events, back])
      .when(swap([economy, business], [], 1), LATER)
      .then([changed([economy, business], [{ bookingId: "bkg_1", seats: [] }], { ...onBoard(1), revision: 2 })]);
    const upgrade = { type: "ReserveUpgrade", bookingId: "bkg_1", accountId: "acc_1", changeId: "chg_1" } as const;
    given([...events, back])
      .when(upgrade, LATER)
      .thenRejected("no_higher_cabin");
  });

  test("who has no place may be taken into any cabin with room, whether it is on sale or not", () => {
    const closed: FlightEvent = { type: "SalesClosed", at: NOW, data: { revision: 2, reason: null } };
    const events = [
      scheduled,
      allocated("bkg_1", { cabin: "business", passengers: 2 }),
      allocated("bkg_2", { passengers: 2 }),
      changed([economy], [{ bookingId: "bkg_1", seats: [], overfull: true }]),
      closed,
    ];
    const take = {
      type: "ReserveCabin",
      bookingId: "bkg_1",
      accountId: "acc_1",
      changeId: "chg_1",
      cabin: "economy",
    } as const;
    const data = {
      bookingId: "bkg_1",
      changeId: "chg_1",
      seats: [],
      surcharges: [],
      holdId: null,
      cabin: "economy",
    } as const;
    const taken: FlightEvent = { type: "SeatChangeReserved", at: LATER, data };
    given(events).when(take, LATER).then([taken]);
    given(events)
      .when({ ...take, bookingId: "bkg_2" }, LATER)
      .thenRejected("has_place");
    given(events)
      .when({ ...take, cabin: "first" }, LATER)
      .thenRejected({ code: "cabin_sold_out", facts: { cabin: "first", seatsLeft: 0 } });
    const { occupancy } = flightOf([...events, taken, applied("bkg_1", "chg_1", LATER)]);
    expect([placesLeft(occupancy, "economy", LATER), occupancy.occupants.get("bkg_1")?.overfull]).toStrictEqual([
      1,
      undefined,
    ]);
  });

  test("a hold that loses a seat is released whole, and so are those of an overfull cabin", () => {
    const holds = [held("hld_1", ["10A"]), held("hld_2", ["10C", "11C"]), held("hld_3", ["1A"])];
    given([scheduled, ...holds])
      .when(swap(SHORT), LATER)
      .then([holdReleased("hld_2", LATER), changed(SHORT, [], onBoard(0))]);
    given([scheduled, allocated("bkg_1", { passengers: 4 }), ...holds.slice(0, 1)])
      .when(swap(SHORT), LATER)
      .then([
        holdReleased("hld_1", LATER),
        changed(SHORT, [{ bookingId: "bkg_1", seats: [], overfull: true }], onBoard(1)),
      ]);
    given([scheduled, allocated("bkg_1", { passengers: 2 }), held("hld_1", ["10A", "10B"])])
      .when(swap(SHORT), LATER)
      .then([holdReleased("hld_1", LATER), changed(SHORT, [], onBoard(1))]);
  });

  test("a hold parts no party that must move: its seat is taken where that sits together by it", () => {
    given([scheduled, allocated("bkg_1", { seats: ["11A", "11C"] }), held("hld_1", ["10B"])])
      .when(swap(SHORT), LATER)
      .then([
        holdReleased("hld_1", LATER),
        changed(SHORT, [{ bookingId: "bkg_1", seats: ["10A", "10B"] }], onBoard(1)),
      ]);
  });

  test("a hold comes back only where the ship has its seats", () => {
    const undo = { type: "ReleaseAllocation", bookingId: "bkg_1", undone: true } as const;
    given([
      scheduled,
      held("hld_1", ["10A", "11A"]),
      allocated("bkg_1", { seats: ["10A"], holdId: "hld_1" }),
      changed(SHORT, []),
    ])
      .when(undo, LATER)
      .then([allocationReleased("bkg_1", LATER)]);
  });

  test("seats that operators have blocked are on sale, and its cabins and fares count from then on", () => {
    const cabins = ship({ amount: 90_000, rows: [10, 12] });
    const blocked: FlightEvent = {
      type: "SeatBlocked",
      at: NOW,
      data: { cabin: "economy", seat: "10A", reason: null },
    };
    const hold = { type: "HoldSeats", holdId: "hld_1", accountId: "acc_1" } as const;
    given([scheduled, blocked, changed(cabins, [])])
      .when({ ...hold, seats: ["10A", "12C"] }, LATER)
      .then([
        {
          type: "SeatsHeld",
          at: LATER,
          data: {
            holdId: "hld_1",
            accountId: "acc_1",
            cabin: "economy",
            seats: ["10A", "12C"],
            expiresAt: LATER + 15 * 60_000,
            fareAmount: 90_000,
          },
        },
      ]);
  });

  test("only as planned, before departure, on a flight that departs, with a ship that is another and makes sense", () => {
    given([scheduled]).when(swap(LONGER), DEPARTURE).thenRejected("flight_departed");
    given([scheduled])
      .when(swap(LONGER, [], 1), LATER)
      .thenRejected({
        code: "flight_revision_changed",
        facts: { revision: 0 },
      });
    given([scheduled, cancelledFlight()])
      .when(swap(LONGER, [], 1), LATER)
      .thenRejected("flight_cancelled");
    given([scheduled])
      .when(swap(ship({ amount: 1 })), LATER)
      .thenRejected("equipment_unchanged");
    given([scheduled])
      .when(swap(ship({ rows: [11, 10] })), LATER)
      .thenRejected({ code: "invalid_plan", facts: { problems: ["economy: rows 11 to 10 are reversed"] } });
    given([scheduled])
      .when(swap(ship({ rows: [10, 12], currency: "EUR" })), LATER)
      .thenRejected({ code: "currency_changed", facts: { cabin: "economy" } });
    given([scheduled, changed([economy], [])])
      .when(swap([economy, { ...business, currency: "EUR" }], [], 1), LATER)
      .thenRejected({ code: "currency_changed", facts: { cabin: "business" } });
    given([scheduled, allocated("bkg_1", { seats: ["10A"] }), reserved("bkg_1", "chg_1", ["10B"])])
      .when(swap(LONGER), LATER)
      .thenRejected("seats_changing");
  });

  test("refused where more seats change than fit into one append", () => {
    const many = Array.from({ length: 8_000 }, (_, index) =>
      allocated(`bkg_${String(index).padStart(32, "0")}`, { passengers: 1 }),
    );
    const large: FlightEvent = {
      type: "FlightScheduled",
      at: NOW,
      data: { ...plan, cabins: [...ship({ rows: [10, 999] })] },
    };
    given([large, ...many])
      .when(swap(SHORT), LATER)
      .thenRejected("too_many_seats_change");
  });

  test("its bookings have to follow, from the one ship to the other", () => {
    const reseated = [{ bookingId: "bkg_1", seats: ["10A"] }];
    const flight = flightOf([scheduled, allocated("bkg_1", { seats: ["11A"] }), changed(SHORT, reseated)]);
    const times = { departsAt: DEPARTURE, durationDays: plan.durationDays };
    expect(changesOf(flight)).toStrictEqual([
      {
        disruptionId: "dis_1",
        revision: 1,
        reason: "engine",
        at: LATER,
        kind: "equipment_changed",
        before: { ...times, cabins: plan.cabins },
        after: { ...times, cabins: SHORT },
        reseated,
      },
    ]);
    expect(flight.disruptions).toStrictEqual([{ disruptionId: "dis_1", status: "running", stuck: [] }]);
  });

  test("an import of its present plan changes nothing; one of an older plan is refused and names what has changed it", () => {
    const events = [scheduled, changed(SHORT, []), changed(LONGER, [], { disruptionId: "dis_2", revision: 2 })];
    const schedule = (cabins: readonly CabinPlan[]) => ({ type: "ScheduleFlight", plan: { ...plan, cabins } }) as const;
    const refused = (about: object) => ({ code: "flight_plan_fixed", facts: { flightId: "KP442", ...about } }) as const;
    given(events).when(schedule(LONGER), LATER).then([]);
    given(events)
      .when(schedule(plan.cabins), LATER)
      .thenRejected(refused({ disruptionId: "dis_1" }));
    given(events)
      .when(schedule(SHORT), LATER)
      .thenRejected(refused({ disruptionId: "dis_2" }));
    given(events)
      .when(schedule([economy]), LATER)
      .thenRejected(refused({}));
  });
});

/** Places by order alone; seats are looked at one by one. */
test("whatever is booked: nobody sits on another, places go by order, and only those are listed who must be", () => {
  const party = fc.record({ passengers: fc.integer({ min: 1, max: 4 }), seated: fc.boolean() });
  const ships = fc.record({
    last: fc.integer({ min: 10, max: 13 }),
    layout: fc.constantFrom("AB C", "A BC", "ABC"),
    blocked: fc.subarray(["10A", "10B"]),
    exits: fc.subarray([10, 11, 12]),
  });
  fc.assert(
    fc.property(fc.array(party, { maxLength: 6 }), ships, fc.boolean(), (parties, other, reversed) => {
      const wide = ship({ rows: [10, 12], exitRows: [11], blocked: [] })[0] as CabinPlan;
      const free = ["10", "11", "12"].flatMap((row) => [`${row}A`, `${row}B`, `${row}C`]);
      let left = free.length;
      const bookings = parties.flatMap(({ passengers, seated }, index) => {
        if (left < passengers) return [];
        left -= passengers;
        return [{ bookingId: `bkg_${index}`, passengers, seats: seated ? free.splice(0, passengers) : [] }];
      });
      const events = bookings.map(({ bookingId, ...about }) => allocated(bookingId, about));
      const rows = [10, other.last] as const;
      const exitRows = other.exits.filter((row) => row <= other.last);
      const cabins = [{ ...wide, rows, layout: other.layout, blocked: other.blocked, exitRows }];
      const order = reversed ? bookings.toReversed() : bookings;
      const first: FlightEvent = { type: "FlightScheduled", at: NOW, data: { ...plan, cabins: [wide] } };
      const confirmed = order.map(({ bookingId }) => bookingId);
      const decision = flightDecider.decide(swap(cabins, confirmed), flightOf([first, ...events]), LATER);
      if (decision.rejection?.code === "equipment_unchanged") return;
      const [event] = decision.events as [EquipmentChanged];
      const moved = new Map(event.data.reseated.map((one) => [one.bookingId, one]));
      const [before, now] = [layoutOf(wide), layoutOf(cabins[0] as CabinPlan)];
      const alike = (seat: string) =>
        !now.blocked.has(seat) &&
        JSON.stringify(seatAt(before, seat)?.features) === JSON.stringify(seatAt(now, seat)?.features);
      let places = now.unblocked;
      const taken: string[] = [];
      for (const { bookingId, passengers, seats } of order) {
        const listed = moved.get(bookingId);
        expect(listed?.overfull === true).toBe(passengers > places);
        if (passengers > places) continue;
        places -= passengers;
        expect(listed === undefined).toBe(seats.every(alike));
        expect(listed?.seats.length ?? passengers).toBe(passengers);
        taken.push(...(listed?.seats ?? seats));
      }
      expect(new Set(taken).size).toBe(taken.length);
      for (const seat of taken) expect([seatAt(now, seat)?.number, now.blocked.has(seat)]).toStrictEqual([seat, false]);
    }),
  );
});
