import { expect, test } from "@jest/globals";
import {
  type BookingEvent,
  bookingDecider,
  type FlightEvent,
  flightDecider,
  fold,
  isExistingBooking,
} from "@travel-booking/domain";
import { type EventToAppend, NO_STREAM } from "@travel-booking/engines/event-store";
import { Population } from "../data/population.ts";

const NOW = Date.UTC(2026, 10, 1);

function streamsOf(population: Population): ReadonlyMap<string, readonly EventToAppend[]> {
  const streams = new Map<string, EventToAppend[]>();
  for (const { stream, expectedRevision, events } of population.appends()) {
    const before = streams.get(stream) ?? [];
    expect(expectedRevision).toBe(NO_STREAM + before.length);
    streams.set(stream, [...before, ...events]);
  }
  return streams;
}

test("bookings are on their flights, within the capacity, and nothing is due", () => {
  const population = new Population({ bookings: 1_000, flights: 10 }, NOW);
  const streams = streamsOf(population);
  const { bookings, accounts } = population.contents();
  expect(bookings).toHaveLength(1_000);
  const seatsTaken = new Map<string, number>();
  const statuses = new Map<string, number>();
  for (const [index, id] of bookings.entries()) {
    const booking = fold(bookingDecider, streams.get(`booking-${id}`) as unknown as BookingEvent[]);
    if (!isExistingBooking(booking)) throw new Error(`${id} does not exist`);
    expect(booking.accountId).toBe(accounts[index % accounts.length]?.accountId);
    statuses.set(booking.status, (statuses.get(booking.status) ?? 0) + 1);
    if (booking.status === "cancelled") continue;
    seatsTaken.set(booking.flightId, (seatsTaken.get(booking.flightId) ?? 0) + booking.passengers.length);
    expect(booking.status).toBe("confirmed");
    expect(booking.flown).toBe(booking.departsAt <= NOW);
  }
  expect([...statuses.keys()].toSorted()).toStrictEqual(["cancelled", "confirmed"]);
  let flights = 0;
  for (const [stream, events] of streams) {
    if (!stream.startsWith("flight-")) continue;
    flights += 1;
    const flight = fold(flightDecider, events as unknown as FlightEvent[]);
    const left = 800 - (seatsTaken.get(stream.slice("flight-".length)) ?? 0);
    const allocate = (passengers: number) => {
      const party = { bookingId: "bkg_more", accountId: "acc_more", passengers, seats: [], holdId: null };
      return flightDecider.decide({ type: "AllocateSeats", cabin: "economy", ...party }, flight, NOW - 1);
    };
    const hasDeparted = stream.startsWith("flight-flown");
    expect(allocate(left).rejection?.code).toBe(hasDeparted ? "flight_departed" : undefined);
    expect(allocate(left + 1).rejection?.code).toBe(hasDeparted ? "flight_departed" : "cabin_sold_out");
  }
  expect(flights).toBe(13);
});

test("event ids are unique, and time in a stream never goes back", () => {
  const streams = streamsOf(new Population({ bookings: 200, flights: 10 }, NOW));
  const all = [...streams.values()].flat();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const events of streams.values()) {
    const times = events.map(({ at }) => at);
    expect(times).toStrictEqual(times.toSorted((one, other) => one - other));
    expect(times.every((at) => at <= NOW)).toBe(true);
  }
});
