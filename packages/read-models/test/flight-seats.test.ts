import { describe, expect, test } from "@jest/globals";
import { HOLD_DURATION, seatStatus, seatsLeft } from "@travel-booking/domain";
import { sampleFlight } from "@travel-booking/domain/testing";
import { FlightSeats, holdEntry, nextExpiry, type StoredSeats } from "../src/index.ts";

const { NOW, LATER, plan } = sampleFlight;

/** Economy 10A 10B 10C 11A 11B 11C, business 1A 1C. */
const seats: StoredSeats = {
  cabins: [
    { unblocked: 5, committed: 2, held: 3, seats: "b...x." },
    { unblocked: 2, committed: 0, held: 1, seats: ".." },
  ],
  holds: [
    { expiresAt: NOW + HOLD_DURATION, cabin: "economy", seats: ["10B", "10C"] } as const,
    { expiresAt: NOW + HOLD_DURATION, cabin: "business", seats: ["1C"] } as const,
    { expiresAt: LATER + HOLD_DURATION, cabin: "economy", seats: ["11A"] } as const,
  ]
    .map(holdEntry)
    .join(""),
};

describe("the stored seats of a flight", () => {
  test("are the same after a round trip as JSON", () => {
    expect(JSON.parse(JSON.stringify(seats))).toStrictEqual(seats);
  });

  test.each([
    [NOW, 0, 1, ["booked", "held", "held", "held", "blocked", "available"]],
    [NOW + HOLD_DURATION, 2, 2, ["booked", "available", "available", "held", "blocked", "available"]],
    [LATER + HOLD_DURATION, 3, 2, ["booked", "available", "available", "available", "blocked", "available"]],
  ])("at %d", (at, economyLeft, businessLeft, statuses) => {
    const flight = new FlightSeats(plan, seats);
    expect(seatsLeft(flight, "economy", at)).toBe(economyLeft);
    expect(seatsLeft(flight, "business", at)).toBe(businessLeft);
    expect(seatsLeft(flight, "first", at)).toBe(0);
    const numbers = ["10A", "10B", "10C", "11A", "11B", "11C"];
    expect(numbers.map((seat) => seatStatus(flight, "economy", seat, at))).toStrictEqual(statuses);
  });

  test("a seat is held as long as its last hold lasts", () => {
    const again = { expiresAt: NOW + 2 * HOLD_DURATION, cabin: "economy", seats: ["10B"] } as const;
    const flight = new FlightSeats(plan, { ...seats, holds: seats.holds + holdEntry(again) });
    expect(flight.heldUntil("10B")).toBe(NOW + 2 * HOLD_DURATION);
    expect(flight.heldUntil("10C")).toBe(NOW + HOLD_DURATION);
    expect(flight.heldUntil("10A")).toBeNull();
  });

  test("change by themselves when the next hold expires", () => {
    expect(nextExpiry(seats)).toBe(NOW + HOLD_DURATION);
    expect(nextExpiry({ ...seats, holds: "" })).toBeNull();
  });
});
