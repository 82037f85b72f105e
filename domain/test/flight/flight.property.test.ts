import { isDeepStrictEqual } from "node:util";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  copyFlight,
  type FlightCommand,
  type FlightEvent,
  type FlightState,
  findAllocation,
  findHold,
  findSeatChange,
  flightDecider,
  fold,
  type Instant,
  MINUTE,
  seatStatus,
  seatsLeft,
} from "../../src/index.ts";
import { aimed, arbitrarySteps, type Step } from "./arbitrary-steps.ts";
import { ALL_SEATS, CABINS_ON_FLIGHT, NaiveFlight, NO_OP } from "./naive-flight.ts";
import { DEPARTURE, NOW, scheduled } from "./sample-flight.ts";

/** `expect` at every comparison of every step would take most of the time. */
function same(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected);
}

/** What anybody can see of a flight at a moment, with the holds of the model. */
function seen(state: FlightState, model: NaiveFlight, at: Instant) {
  if (state.status === "unscheduled") throw new Error("the flight is scheduled first");
  return {
    seats: ALL_SEATS.map(([cabin, seat]) => seatStatus(state.occupancy, cabin, seat, at)),
    left: CABINS_ON_FLIGHT.map((cabin) => seatsLeft(state.occupancy, cabin, at)),
    holds: model.holds.map(({ id }) => findHold(state, id, at)?.status),
  };
}

/** All that a flight remembers of what the model knows. */
function recorded(state: FlightState, model: NaiveFlight) {
  if (state.status === "unscheduled") throw new Error("the flight is scheduled first");
  const { holds, shared: _, ...seats } = state.occupancy;
  return {
    seats,
    activeHolds: [...holds.active.values()],
    holds: model.holds.map(({ id }) => findHold(state, id, NOW)),
    allocations: model.bookings.map(({ id }) => findAllocation(state, id)),
    changes: model.changes.map(({ id }) => findSeatChange(state, id)),
  };
}

function foreseen(model: NaiveFlight) {
  return {
    seats: ALL_SEATS.map(([, seat]) => model.seatStatus(seat)),
    left: CABINS_ON_FLIGHT.map((cabin) => model.seatsLeft(cabin)),
    holds: model.holds.map((hold) => model.statusOf(hold)),
  };
}

/** Neither a seat nor a place is promised twice. */
function neverOversold(model: NaiveFlight, state: FlightState): void {
  for (const [, seat] of ALL_SEATS) if (model.owners(seat).length > 1) throw new Error(`${seat} has two owners`);
  for (const left of seen(state, model, model.now).left) if (left < 0) throw new Error("more promised than there is");
  if (state.status === "scheduled")
    for (const { committed, held, unblocked } of state.occupancy.cabins.values())
      if (committed + held > unblocked) throw new Error("more committed and held than there is");
}

/** Runs one command on the model, and says what the flight must have answered. */
function expectation(model: NaiveFlight, command: FlightCommand) {
  const lapsed = model.recordLapsed();
  const verdict = model.judge(command);
  if (verdict === NO_OP) return { lapsed, added: 0, reasons: [] };
  const reasons = [verdict.notFound, verdict.unfit, verdict.conflict].find((codes) => codes.length > 0) ?? [];
  return { lapsed, added: reasons.length === 0 ? model.carryOut(command) : 0, reasons };
}

test("a flight agrees with the naive model after every step, and is never oversold", () => {
  const outcomes = new Map<string, number>();
  const count = (key: string) => outcomes.set(key, (outcomes.get(key) ?? 0) + 1);

  function runs(begin: Instant, steps: readonly Step[]): void {
    const model = new NaiveFlight(begin);
    const history: FlightEvent[] = [scheduled];
    let state = fold(flightDecider, history);

    for (const step of steps) {
      if (step.type === "Pass") model.now += step.milliseconds;
      else {
        const command = aimed(step.command, step.aim, model);
        const at = model.now;
        const { events, rejection } = flightDecider.decide(command, state, at);
        same(recorded(state, model), recorded(fold(flightDecider, history), model));

        const { lapsed, added, reasons } = expectation(model, command);
        const expiries = lapsed.map((holdId) => ({ type: "SeatHoldExpired", at, data: { holdId } }));
        // Of those that lapse at the same moment, one that was given back comes last.
        expect(events.slice(0, lapsed.length)).toHaveLength(lapsed.length);
        expect(events.slice(0, lapsed.length)).toEqual(expect.arrayContaining(expiries));
        same(events.length - lapsed.length, added);
        for (const { type, data } of events)
          if (type === "SeatsAllocated") same(data.fareAmount, model.bookings.at(-1)?.fare);
        if (reasons.length === 0) same(rejection, undefined);
        else expect(reasons).toContain(rejection?.code);
        count(rejection?.code ?? (added > 0 ? `${command.type}${added > 1 ? ", hold given back" : ""}` : "no-op"));

        // As a snapshot is stored and loaded.
        if (history.length % 5 === 0) state = copyFlight(structuredClone(state));
        const copy = copyFlight(state);
        for (const event of events) state = flightDecider.evolve(state, event);
        same(recorded(copy, model), recorded(fold(flightDecider, history), model));
        same(recorded(events.reduce(flightDecider.evolve, copy), model), recorded(state, model));
        history.push(...events);
      }
      neverOversold(model, state);
      same(seen(state, model, model.now), foreseen(model));
    }
  }

  const begin = fc.constantFrom(NOW, NOW, NOW, DEPARTURE - 60 * MINUTE);
  fc.assert(fc.property(begin, arbitrarySteps, runs), { numRuns: 400 });

  const commands = ["HoldSeats", "ReleaseHold", "AllocateSeats", "ReserveSeatChange", "ApplySeatChange"];
  const reasons = ["seat_taken", "seat_held", "seat_blocked", "seats_owed", "cabin_sold_out", "flight_departed"];
  const others = [
    "DropSeatChange",
    "ReleaseAllocation",
    "ReserveUpgrade",
    "RecordPaidSeats",
    "RecordRefundedSeats",
    "UndoRefundedSeats",
    "ScheduleFlight",
    "ChangeFare",
    "BlockSeat",
    "UnblockSeat",
    "seat_change_open",
    "seat_change_not_open",
    "DropSeatChange, hold given back",
    "ReleaseAllocation, hold given back",
    "no-op",
  ];
  for (const outcome of [...commands, ...reasons, ...others])
    expect([outcome, (outcomes.get(outcome) ?? 0) > 3]).toStrictEqual([outcome, true]);
});
