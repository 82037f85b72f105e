import { expect } from "@jest/globals";
import {
  type BookingEvent,
  bookingDecider,
  type FlightEvent,
  findHold,
  flightDecider,
  fold,
  isExistingBooking,
  type ScheduledFlight,
} from "@travel-booking/domain";
import { FLIGHT } from "./sample.ts";
import type { ExternalSystems } from "./service.ts";

/** All that is on a flight, and every booking, as the log tells. */
export async function endState(disk: ExternalSystems, flightId = FLIGHT) {
  const log = await disk.log();
  const ofFlight = log.filter((event) => event.stream === `flight-${flightId}`) as unknown as FlightEvent[];
  const flight = fold(flightDecider, ofFlight) as ScheduledFlight;
  const streams = new Set(log.map((event) => event.stream).filter((stream) => stream.startsWith("booking-")));
  const bookings = [...streams].map((stream) =>
    fold(bookingDecider, log.filter((event) => event.stream === stream) as unknown as BookingEvent[]),
  );
  return {
    /** Seats and places taken, by booking. */
    occupants: Array.from(flight.occupancy.occupants, ([bookingId, { seats, passengers, change }]) => ({
      bookingId,
      seats,
      passengers,
      change,
    })),
    /** With their recorded statuses. */
    holds: Array.from(
      new Map(ofFlight.flatMap((event) => (event.type === "SeatsHeld" ? [[event.data.holdId, event] as const] : []))),
      ([holdId, { at, data }]) => ({ seats: data.seats, status: findHold(flight, holdId, at)?.status }),
    ),
    bookings: bookings.filter(isExistingBooking).map((booking) => ({
      status: booking.status,
      seats: booking.seats,
      payments: booking.payments.map((payment) => payment.status),
      refunds: booking.payments.flatMap(({ refunds }) => refunds.map(({ amount, status }) => ({ amount, status }))),
    })),
    abandoned: bookings.filter((booking) => booking.status === "abandoned").length,
    /** Cents taken and given back by the gateway. */
    gateway: (await disk.ledger()).map((entry) =>
      entry.kind === "barred"
        ? "barred"
        : {
            [entry.outcome.status]: entry.amount,
            refunded: entry.refunds.reduce((sum, refund) => sum + refund.amount, 0),
          },
    ),
  };
}

/** All that is on any flight. */
export async function occupantsOfAllFlights(disk: ExternalSystems): Promise<EndState["occupants"]> {
  const streams = new Set((await disk.log()).map(({ stream }) => stream).filter((name) => name.startsWith("flight-")));
  const flights = await Promise.all(Array.from(streams, (name) => endState(disk, name.slice("flight-".length))));
  return flights.flatMap(({ occupants }) => occupants);
}

export type EndState = Awaited<ReturnType<typeof endState>>;

/** The gateway has taken and given back what the bookings say, and nothing else. */
export async function checkMoney(systems: ExternalSystems): Promise<void> {
  const { bookings, gateway } = await endState(systems);
  const refunds = bookings.flatMap((booking) => booking.refunds).filter(({ status }) => status === "succeeded");
  const told = {
    taken: bookings.flatMap(({ payments }) => payments).filter((status) => status === "succeeded").length,
    refunded: refunds.reduce((sum, { amount }) => sum + amount, 0),
  };
  const entries = gateway.filter((entry) => entry !== "barred");
  expect({
    taken: entries.filter((entry) => "succeeded" in entry).length,
    refunded: entries.reduce((sum, { refunded = 0 }) => sum + refunded, 0),
  }).toStrictEqual(told);
}
