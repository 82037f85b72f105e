import { describe, expect, test } from "@jest/globals";
import { HOLD_DURATION, seatStatus, seatsLeft } from "@travel-booking/domain";
import { sampleFlight } from "@travel-booking/domain/testing";
import type { Document, ReadModels } from "@travel-booking/engines/read-store";
import { FLIGHTS, findFlightSeats, SEAT_CHARACTER } from "../src/index.ts";

const { NOW, plan } = sampleFlight;

/** Read models in which the flight's documents have these states. */
function modelsWith(states: Readonly<Record<string, unknown>>): ReadModels {
  const document = async (model: string) => (model in states ? ({ state: states[model] } as Document) : undefined);
  return { document } as Partial<ReadModels> as ReadModels;
}

describe("a flight as the release before stored it", () => {
  const former = {
    plan,
    holds: [
      ["hld_1", "economy", NOW, ["10A"]],
      ["hld_2", "economy", NOW + HOLD_DURATION, ["10B"]],
    ],
    occupants: [
      ["bkg_1", "economy", 1, ["10C"], "chg_1", ["11A"], null],
      ["bkg_2", "economy", 1, [], "red_1", [], "business"],
      ["bkg_3", "business", 1, ["1A"], null, []],
    ],
  };

  test.each([
    [NOW, ["available", "held", "booked", "booked", "blocked", "available"], 2],
    [NOW + HOLD_DURATION, ["available", "available", "booked", "booked", "blocked", "available"], 3],
  ])("is read until it is rebuilt, at %d", async (at, statuses, left) => {
    const seats = await findFlightSeats(modelsWith({ [FLIGHTS.flight.model]: former }), "KP442");
    if (seats === undefined) throw new Error("the flight is not found");
    expect(seats.plan).toStrictEqual(plan);
    const numbers = ["10A", "10B", "10C", "11A", "11B", "11C"];
    expect(numbers.map((seat) => seatStatus(seats, "economy", seat, at))).toStrictEqual(statuses);
    expect(seatStatus(seats, "business", "1A", at)).toBe("booked");
    expect(seatsLeft(seats, "economy", at)).toBe(left);
    expect(seatsLeft(seats, "business", at)).toBe(0);
  });
});

test("a flight that nobody has scheduled is not found", async () => {
  expect(await findFlightSeats(modelsWith({}), "KP442")).toBeUndefined();
});

test("a flight is found with its plan", async () => {
  const seats = SEAT_CHARACTER.booked + SEAT_CHARACTER.free.repeat(5);
  const stored = { cabins: [{ unblocked: 6, committed: 1, held: 0, seats }], holds: "" };
  const found = await findFlightSeats(modelsWith({ [FLIGHTS.flight.model]: stored, [FLIGHTS.plan.model]: plan }), "F");
  if (found === undefined) throw new Error("the flight is not found");
  expect(found.plan).toBe(plan);
  expect(seatStatus(found, "economy", "10A", NOW)).toBe("booked");
  expect(seatsLeft(found, "economy", NOW)).toBe(5);
});
