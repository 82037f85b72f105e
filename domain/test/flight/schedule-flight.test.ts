import { describe, expect, test } from "@jest/globals";
import { type FlightPlan, flightDecider } from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import { business, economy, expired, held, LATER, NOW, plan, scheduled } from "./sample-flight.ts";

const given = specification(flightDecider);
const schedule = (changed: FlightPlan) => ({ type: "ScheduleFlight", plan: changed }) as const;
const withEconomy = (changed: Partial<typeof economy>) =>
  schedule({ ...plan, cabins: [{ ...economy, ...changed }, business] });

describe("scheduling a flight", () => {
  test("a new plan schedules it", () => {
    given([]).when(schedule(plan), NOW).then([scheduled]);
  });

  test("the same plan again changes nothing, whatever the order of its lists", () => {
    given([scheduled]).when(schedule(plan), LATER).then([]);
    given([scheduled])
      .when(schedule({ ...plan, cabins: [business, economy] }), LATER)
      .then([]);
    given([scheduled])
      .when(withEconomy({ surcharges: [...economy.surcharges].reverse() }), LATER)
      .then([]);
  });

  test("changed fares are taken over, cabin by cabin", () => {
    const changed = schedule({
      ...plan,
      cabins: [
        { ...economy, amount: 1 },
        { ...business, amount: 2 },
      ],
    });
    const fares = [
      { type: "FareChanged", at: LATER, data: { cabin: "economy", amount: 1 } },
      { type: "FareChanged", at: LATER, data: { cabin: "business", amount: 2 } },
    ] as const;
    given([scheduled]).when(changed, LATER).then(fares);
    given([scheduled, ...fares])
      .when(changed, LATER)
      .then([]);
  });

  test.each<[string, ReturnType<typeof schedule>]>([
    ["departure", schedule({ ...plan, departsAt: plan.departsAt + 1 })],
    ["duration", schedule({ ...plan, durationDays: 1 })],
    ["spaceport", schedule({ ...plan, from: "L5" })],
    ["destination", schedule({ ...plan, destinationId: "elsewhere" })],
    ["a cabin less", schedule({ ...plan, cabins: [economy] })],
    ["rows", withEconomy({ rows: [10, 12] })],
    ["layout", withEconomy({ layout: "A BC" })],
    ["deck", withEconomy({ deck: 3 })],
    ["currency", withEconomy({ currency: "EUR" })],
    ["blocked seats", withEconomy({ blocked: [] })],
    ["exit rows", withEconomy({ exitRows: [] })],
    ["cryosleep rows", withEconomy({ cryosleepRows: [10] })],
    ["quiet rows", withEconomy({ quietRows: [10] })],
    ["accessible seats", withEconomy({ accessible: ["10A"] })],
    ["surcharges", withEconomy({ surcharges: [] })],
  ])("another %s on a known flight is refused, a changed fare beside it too", (_, command) => {
    const cabins = command.plan.cabins.map((cabin) => ({ ...cabin, amount: 7 }));
    const reason = { code: "flight_plan_fixed", facts: { flightId: "KP442" } } as const;
    given([scheduled])
      .when(schedule({ ...command.plan, cabins }), LATER)
      .thenRejected(reason);
  });

  test.each<[string, ReturnType<typeof schedule>]>([
    [
      "cabin economy is there twice",
      schedule({ ...plan, cabins: [economy, { ...economy, rows: [20, 21], exitRows: [], blocked: [] }] }),
    ],
    ["economy: blocked: there is no seat 12A", withEconomy({ blocked: ["12A"] })],
    ["economy: blocked: there is no seat 010A", withEconomy({ blocked: ["010A"] })],
    ["economy: accessible: there is no seat 10D", withEconomy({ accessible: ["10D"] })],
    ["economy: exitRows: there is no row 9", withEconomy({ exitRows: [9] })],
    ["economy: cryosleepRows: there is no row 12", withEconomy({ cryosleepRows: [12] })],
    ["economy: quietRows: there is no row 12", withEconomy({ quietRows: [12] })],
    ["economy: rows 11 to 10 are reversed", withEconomy({ rows: [11, 10] })],
    ["economy: column A is there twice", withEconomy({ layout: "AB CA" })],
    ["economy: the layout has no column", withEconomy({ layout: " ", blocked: [] })],
    [
      "economy: window has two surcharges",
      withEconomy({ surcharges: [...economy.surcharges, { feature: "window", amount: 1 }] }),
    ],
    [
      "economy and business share seat numbers",
      schedule({ ...plan, cabins: [economy, { ...business, rows: [9, 10] }] }),
    ],
  ])("a plan that contradicts itself is refused: %s", (problem, command) => {
    const reason = { code: "invalid_plan", facts: { problems: [problem] } } as const;
    given([]).when(command, NOW).thenRejected(reason);
    given([scheduled]).when(command, NOW).thenRejected(reason);
  });

  test("two cabins may share rows as long as they share no column", () => {
    const beside = schedule({ ...plan, cabins: [economy, { ...business, layout: "K L", rows: [10, 10] }] });
    given([])
      .when(beside, NOW)
      .then([{ type: "FlightScheduled", at: NOW, data: beside.plan }]);
  });

  test("every other command needs a flight", () => {
    const bookingId = "bkg_1";
    for (const command of [
      { type: "HoldSeats", holdId: "hld_1", accountId: "acc_1", seats: ["99Z"] },
      { type: "ReleaseHold", holdId: "hld_1", accountId: "acc_1" },
      { type: "ExpireHolds" },
      { type: "AllocateSeats", bookingId, accountId: "a", cabin: "economy", passengers: 1, seats: [], holdId: null },
      { type: "ReserveSeatChange", bookingId, accountId: "a", changeId: "c", seats: ["10A"], holdId: null },
      { type: "ApplySeatChange", bookingId, changeId: "c" },
      { type: "DropSeatChange", bookingId, changeId: "c" },
      { type: "ReleaseAllocation", bookingId },
    ] as const)
      given([]).when(command, NOW).thenRejected({ code: "flight_not_found" });
  });

  test("an event without a flight is damage, and said", () => {
    expect(() => given([expired("hld_1", NOW)]).state()).toThrow(
      "SeatHoldExpired on a flight that was never scheduled",
    );
  });

  test("what lapsed is recorded even with a refused plan", () => {
    const history = [scheduled, held("hld_1", ["10A"])];
    const at = NOW + 900_000;
    given(history)
      .when(withEconomy({ deck: 3 }), at)
      .thenRejected("flight_plan_fixed", [expired("hld_1", at)]);
  });
});
