import { describe, expect, test } from "@jest/globals";
import {
  changesOf,
  type FlightEvent,
  findHold,
  flightDecider,
  type OperatorDecisionCommand,
  type ScheduledFlight,
  seatStatus,
  seatsOnSale,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import {
  allocated,
  allocationReleased,
  cancelledFlight,
  DEPARTURE,
  dropped,
  expired,
  held,
  holdReleased,
  LATER,
  NOW,
  plan,
  reinstatedFlight,
  reserved,
  scheduled,
} from "./sample-flight.ts";

const given = specification(flightDecider);
const cancel = (revision = 0, disruptionId = "dis_1"): OperatorDecisionCommand => {
  return { type: "CancelFlight", disruptionId, revision, policy: "refund", reason: "engine" };
};
const close = (revision = 0): OperatorDecisionCommand => ({ type: "CloseSales", revision, reason: null });
const open = (revision: number): OperatorDecisionCommand => ({ type: "OpenSales", revision, reason: null });
const closed = (revision = 1): FlightEvent => ({ type: "SalesClosed", at: NOW, data: { revision, reason: null } });
const flightOf = (events: readonly FlightEvent[]) => given(events).state() as ScheduledFlight;
const CANCELLED = [scheduled, allocated("bkg_1", { seats: ["10A"] }), cancelledFlight()];
const onFlight = { bookingId: "bkg_1", accountId: "acc_1" } as const;

describe("cancelling a flight", () => {
  test("releases its holds in the same append, those that have expired as expired", () => {
    const before = [
      scheduled,
      held("hld_1", ["10A"]),
      held("hld_2", ["10B"], LATER),
      allocated("bkg_1", { seats: ["1A"] }),
    ];
    const at = NOW + 15 * 60_000;
    given(before)
      .when(cancel(), at)
      .then([
        expired("hld_1", at),
        cancelledFlight(0, at, { bookings: 1, accounts: ["acc_1"] }),
        holdReleased("hld_2", at),
      ]);
  });

  test("names each account once that has bookings or active holds on it", () => {
    const of = (event: FlightEvent, accountId: string) =>
      ({ ...event, data: { ...event.data, accountId } }) as FlightEvent;
    const before = [
      scheduled,
      of(allocated("bkg_1", { passengers: 1 }), "acc_3"),
      of(allocated("bkg_2", { passengers: 1 }), "acc_3"),
      of(held("hld_1", ["10A"], LATER), "acc_2"),
      of(held("hld_2", ["10B"], NOW), "acc_4"),
    ];
    const { events } = flightDecider.decide(cancel(), flightOf(before), NOW + 15 * 60_000);
    const found = events.find((event) => event.type === "FlightCancelled");
    expect(found?.data.accounts).toStrictEqual(["acc_3", "acc_2"]);
  });

  test("more holds than fit into an append are released by the commands that follow, and count as released before", () => {
    const seats = Array.from({ length: 300 }, (_, index) => `${index + 1}A`);
    const [economy] = plan.cabins;
    const cabins = [
      { ...(economy as (typeof plan.cabins)[number]), rows: [1, 300] as const, blocked: [], exitRows: [] },
    ];
    const large: FlightEvent = { type: "FlightScheduled", at: NOW, data: { ...plan, cabins } };
    const before = [large, ...seats.map((seat, index) => held(`hld_${index}`, [seat]))];
    const { events } = flightDecider.decide(cancel(), flightOf(before), LATER);
    expect(events).toHaveLength(1 + 256);
    const flight = flightOf([...before, ...events]);
    expect(findHold(flight, "hld_299", LATER)?.status).toBe("released");
    given([...before, ...events])
      .when({ type: "ExpireHolds" }, LATER)
      .then(seats.slice(256).map((_, index) => holdReleased(`hld_${256 + index}`, LATER)));
    given([...before, ...events])
      .when({ type: "ReleaseHold", holdId: "hld_299", accountId: "acc_1" }, LATER)
      .thenRejected(
        { code: "hold_not_active", facts: { status: "released" } },
        seats.slice(256).map((_, index) => holdReleased(`hld_${256 + index}`, LATER)),
      );
  });

  test("only as the operator planned it, before departure, and once", () => {
    given([scheduled])
      .when(cancel(1), LATER)
      .thenRejected({ code: "flight_revision_changed", facts: { revision: 0 } });
    given([scheduled, closed()])
      .when(cancel(0), LATER)
      .thenRejected({ code: "flight_revision_changed", facts: { revision: 1 } });
    given([scheduled]).when(cancel(), DEPARTURE).thenRejected("flight_departed");
    given([scheduled, closed(1_000)])
      .when(cancel(1_000), LATER)
      .thenRejected("too_many_decisions");
    given(CANCELLED).when(cancel(1, "dis_2"), LATER).thenRejected("flight_cancelled");
    given([]).when(cancel(), LATER).thenRejected("flight_not_found");
  });

  test("nothing is sold any more, before anything about seats and holds", () => {
    given(CANCELLED)
      .when({ type: "HoldSeats", holdId: "hld_1", accountId: "acc_1", seats: ["99Z"] }, LATER)
      .thenRejected("flight_cancelled");
    const booking = {
      type: "AllocateSeats",
      bookingId: "bkg_2",
      accountId: "acc_1",
      passengers: 1,
      seats: [],
    } as const;
    given(CANCELLED)
      .when({ ...booking, cabin: "economy", holdId: "hld_no" }, LATER)
      .thenRejected("flight_cancelled");
    const change = { ...onFlight, changeId: "chg_1", seats: [], holdId: "hld_no" } as const;
    given(CANCELLED)
      .when({ type: "ReserveSeatChange", ...change }, LATER)
      .thenRejected("flight_cancelled");
    given(CANCELLED)
      .when({ type: "ReserveUpgrade", ...onFlight, changeId: "chg_1" }, LATER)
      .thenRejected("flight_cancelled");
    const assigning = { type: "AssignSeats", bookingId: "bkg_2", changeId: "chg_1", preferences: [] } as const;
    given([...CANCELLED.slice(0, 1), allocated("bkg_2", { passengers: 1 }), cancelledFlight()])
      .when(assigning, LATER)
      .thenRejected("flight_cancelled");
  });

  test("what is unfinished ends as ever, and no hold comes back", () => {
    const changing = [
      scheduled,
      held("hld_1", ["10B"]),
      allocated("bkg_1", { seats: ["10A"] }),
      reserved("bkg_1", "chg_1", ["10B"], "hld_1"),
      cancelledFlight(),
    ];
    given(changing)
      .when({ type: "DropSeatChange", bookingId: "bkg_1", changeId: "chg_1" }, LATER)
      .then([dropped("bkg_1", "chg_1", LATER)]);
    given(CANCELLED)
      .when({ type: "ReleaseAllocation", bookingId: "bkg_1", undone: true }, LATER)
      .then([allocationReleased("bkg_1", LATER)]);
  });

  test("every seat is blocked and none is left", () => {
    const { occupancy } = flightOf(CANCELLED);
    expect([seatStatus(occupancy, "economy", "10C", LATER), seatsOnSale(occupancy, "economy", LATER)]).toStrictEqual([
      "blocked",
      0,
    ]);
  });

  test("an import of its plan changes nothing, not even a fare", () => {
    const cabins = plan.cabins.map((cabin) => ({ ...cabin, amount: 1 }));
    given(CANCELLED)
      .when({ type: "ScheduleFlight", plan: { ...plan, cabins } }, LATER)
      .then([]);
    given(CANCELLED)
      .when({ type: "ScheduleFlight", plan: { ...plan, from: "LUN" } }, LATER)
      .thenRejected("flight_plan_fixed");
  });
});

describe("reinstating a flight", () => {
  const reinstate = (revision = 1): OperatorDecisionCommand => ({ type: "ReinstateFlight", revision, reason: null });
  const paused: FlightEvent = { type: "DisruptionPaused", at: LATER, data: { disruptionId: "dis_1" } };
  const back = (about = {}) => reinstatedFlight(1, LATER, { accounts: ["acc_1"], ...about });

  test("takes the cancellation back while its sweep is paused or has ended, and sells on as before", () => {
    const ended: FlightEvent = { type: "DisruptionEnded", at: LATER, data: { disruptionId: "dis_1", stuck: [] } };
    for (const stopped of [paused, ended])
      given([...CANCELLED, stopped])
        .when(reinstate(), LATER)
        .then([back()]);
    const closedBefore = [scheduled, closed(), cancelledFlight(1), paused];
    given(closedBefore)
      .when(reinstate(2), LATER)
      .then([reinstatedFlight(2, LATER, { sale: "closed" })]);
    const { occupancy, disruptions, revision } = flightOf([...CANCELLED, paused, back()]);
    expect([seatsOnSale(occupancy, "economy", LATER), revision]).toStrictEqual([4, 2]);
    expect(disruptions).toStrictEqual([{ disruptionId: "dis_1", status: "running", stuck: [] }]);
    expect(flightOf([...closedBefore, reinstatedFlight(2, LATER, { sale: "closed" })]).occupancy.sale).toBe("closed");
  });

  test("only a cancelled one whose bookings do not follow right now, as planned and before departure", () => {
    given(CANCELLED).when(reinstate(), LATER).thenRejected("disruption_running");
    given([scheduled]).when(reinstate(0), LATER).thenRejected("flight_not_cancelled");
    given([...CANCELLED, paused, back()])
      .when(reinstate(2), LATER)
      .thenRejected("flight_not_cancelled");
    given([...CANCELLED, paused])
      .when(reinstate(0), LATER)
      .thenRejected({ code: "flight_revision_changed", facts: { revision: 1 } });
    given([...CANCELLED, paused])
      .when(reinstate(), DEPARTURE)
      .thenRejected("flight_departed");
  });

  test("it may be cancelled once more, as another disruption; the former one's sweep ends by itself", () => {
    const twice = [...CANCELLED, paused, back(), cancelledFlight(2, LATER, { disruptionId: "dis_2" })];
    given(twice)
      .when({ type: "EndDisruption", disruptionId: "dis_1", revision: 3, stuck: [] }, LATER)
      .then([{ type: "DisruptionEnded", at: LATER, data: { disruptionId: "dis_1", stuck: [] } }]);
    expect(flightOf(twice).disruptions.map(({ disruptionId }) => disruptionId)).toStrictEqual(["dis_1", "dis_2"]);
  });
});

describe("closed sales", () => {
  test("take no holds, bookings and upgrades; what was sold before goes on", () => {
    const before = [scheduled, held("hld_1", ["10A"]), allocated("bkg_1", { seats: ["10B"] }), closed()];
    given(before)
      .when({ type: "HoldSeats", holdId: "hld_2", accountId: "acc_1", seats: ["10C"] }, LATER)
      .thenRejected("sales_closed");
    const booking = {
      type: "AllocateSeats",
      bookingId: "bkg_2",
      accountId: "acc_1",
      cabin: "economy",
      passengers: 1,
    } as const;
    given(before)
      .when({ ...booking, seats: ["10C"], holdId: null }, LATER)
      .thenRejected("sales_closed");
    given(before)
      .when({ type: "ReserveUpgrade", ...onFlight, changeId: "chg_1" }, LATER)
      .thenRejected("sales_closed");
    given(before)
      .when({ ...booking, seats: [], holdId: "hld_1" }, LATER)
      .then([allocated("bkg_2", { seats: ["10A"], holdId: "hld_1", flightRevision: 1 }, LATER)]);
    given(before)
      .when({ type: "ReserveSeatChange", ...onFlight, changeId: "chg_1", seats: ["10C"], holdId: null }, LATER)
      .then([reserved("bkg_1", "chg_1", ["10C"], null, LATER)]);
    const { occupancy } = flightOf(before);
    expect([seatStatus(occupancy, "economy", "10C", LATER), seatsOnSale(occupancy, "economy", LATER)]).toStrictEqual([
      "available",
      0,
    ]);
  });

  test("open again; each decision counts", () => {
    given([scheduled]).when(close(), NOW).then([closed()]);
    given([scheduled, closed()]).when(close(1), NOW).thenRejected("sales_closed");
    given([scheduled, closed()])
      .when(open(1), NOW)
      .then([{ type: "SalesOpened", at: NOW, data: { revision: 2, reason: null } }]);
    given([scheduled]).when(open(0), NOW).thenRejected("sales_are_open");
    const { occupancy, revision } = flightOf([
      scheduled,
      closed(),
      { type: "SalesOpened", at: NOW, data: { revision: 2, reason: null } },
    ]);
    expect([revision, seatsOnSale(occupancy, "economy", NOW)]).toStrictEqual([2, 5]);
  });
});

describe("the sweep of a disruption", () => {
  const control = (type: "PauseDisruption" | "ResumeDisruption", disruptionId = "dis_1") =>
    ({ type, disruptionId }) as const;
  const told = (type: "DisruptionPaused" | "DisruptionResumed"): FlightEvent => ({
    type,
    at: LATER,
    data: { disruptionId: "dis_1" },
  });
  const end = (stuck: readonly string[] = []): FlightEvent => ({
    type: "DisruptionEnded",
    at: LATER,
    data: { disruptionId: "dis_1", stuck },
  });
  const paused = told("DisruptionPaused");

  test("is paused and resumed, and tries again whom it gave up", () => {
    given(CANCELLED).when(control("PauseDisruption"), LATER).then([paused]);
    given([...CANCELLED, paused])
      .when(control("PauseDisruption"), LATER)
      .then([]);
    given([...CANCELLED, paused])
      .when(control("ResumeDisruption"), LATER)
      .then([told("DisruptionResumed")]);
    given(CANCELLED).when(control("ResumeDisruption"), LATER).then([]);
    given([...CANCELLED, end(["bkg_1"])])
      .when(control("PauseDisruption"), LATER)
      .thenRejected("disruption_not_running");
    given([...CANCELLED, end(["bkg_1"])])
      .when(control("ResumeDisruption"), LATER)
      .then([told("DisruptionResumed")]);
    given([scheduled]).when(control("PauseDisruption"), LATER).thenRejected("disruption_not_found");
    given(CANCELLED).when(control("ResumeDisruption", "dis_2"), LATER).thenRejected("disruption_not_found");
  });

  test("ends once, and not while it is paused", () => {
    const ending = { type: "EndDisruption", disruptionId: "dis_1", revision: 1, stuck: ["bkg_1"] } as const;
    given(CANCELLED)
      .when({ ...ending, revision: 0 }, LATER)
      .then([]);
    given(CANCELLED)
      .when(ending, LATER)
      .then([end(["bkg_1"])]);
    given([...CANCELLED, end()])
      .when(ending, LATER)
      .then([]);
    given([...CANCELLED, paused])
      .when(ending, LATER)
      .then([]);
    expect(flightOf([...CANCELLED, end(["bkg_1"])]).disruptions).toStrictEqual([
      { disruptionId: "dis_1", status: "ended", stuck: ["bkg_1"] },
    ]);
  });
});

test("what a booking has to know of its flight", () => {
  expect(changesOf(flightOf([scheduled, closed()]))).toStrictEqual([]);
  const times = { departsAt: DEPARTURE, durationDays: 480 };
  const decided = { disruptionId: "dis_1", at: LATER };
  expect(changesOf(flightOf([scheduled, closed(), cancelledFlight(1), reinstatedFlight(2)]))).toStrictEqual([
    { ...decided, kind: "cancelled", revision: 2, policy: "refund", reason: "engine", before: times, after: null },
    { ...decided, kind: "reinstated", revision: 3, reason: null, before: null, after: times },
  ]);
});
