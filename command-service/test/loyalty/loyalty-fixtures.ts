import { expect } from "@jest/globals";
import type { RedemptionBody } from "@travel-booking/api-contract";
import {
  BOOKING_CREDIT,
  type BookingEvent,
  bookingDecider,
  type ExistingBooking,
  type FlightEvent,
  flightDecider,
  fold,
  isExistingBooking,
  type LoyaltyEvent,
  loyaltyDecider,
} from "@travel-booking/domain";
import { systemContext } from "../../src/command-handling/command.ts";
import { executeLoyaltyCommand } from "../../src/loyalty/loyalty-commands.ts";
import { ADA } from "../support/sample.ts";
import { type CallOptions, type CallResponse, type ExternalSystems, Service } from "../support/service.ts";

/** Points by an operator's hand. */
export async function adjustPoints({ services }: Service, points: number): Promise<void> {
  const context = systemContext(services);
  const adjustmentId = context.commandId;
  const command = { type: "AdjustPoints", accountId: ADA, adjustmentId, points, reason: "a gift" } as const;
  const given = await executeLoyaltyCommand(services, context, command, () => undefined);
  expect(given.accepted).toBe(true);
}

export function redeem(service: Service, body: object, asked?: CallOptions): Promise<CallResponse<RedemptionBody>> {
  return service.call("createRedemption", {}, body, asked);
}

/** A disk on which Ada has so many points. */
export async function systemsWithPoints(points: number): Promise<ExternalSystems> {
  const service = await Service.start();
  await adjustPoints(service, points);
  return service.systems;
}

async function historyOf<Event>(disk: ExternalSystems, stream: string): Promise<readonly Event[]> {
  return (await disk.log()).filter((event) => event.stream === stream) as unknown as Event[];
}

export async function pointsOf(disk: ExternalSystems) {
  return fold(loyaltyDecider, await historyOf<LoyaltyEvent>(disk, `loyalty-${ADA}`));
}

async function bookingsOf(disk: ExternalSystems): Promise<readonly ExistingBooking[]> {
  const streams = new Set((await disk.log()).map(({ stream }) => stream).filter((name) => name.startsWith("booking-")));
  const bookings = await Promise.all(
    Array.from(streams, async (stream) => fold(bookingDecider, await historyOf<BookingEvent>(disk, stream))),
  );
  return bookings.filter(isExistingBooking);
}

/**
 * What must hold once nothing is under way, from the log alone: points were taken for exactly the rewards that bookings
 * have, each cent of credit is in the bank or on one booking, every booking is in the cabin its flight has it in.
 */
export async function checkInvariants(disk: ExternalSystems): Promise<void> {
  const points = await pointsOf(disk);
  const bookings = await bookingsOf(disk);
  const redemptions = [...points.redemptions.values()];
  expect(redemptions.filter(({ status }) => status === "set_aside")).toStrictEqual([]);
  const taken = redemptions.filter(({ status, bookingId }) => status === "completed" && bookingId !== null);
  const given = bookings.flatMap(({ bookingId, rewards }) =>
    rewards.map(({ redemptionId, reward }) => ({ redemptionId, reward, bookingId })),
  );
  expect(
    taken.map(({ redemptionId, reward, bookingId }) => ({ redemptionId, reward, bookingId })).sort(byId),
  ).toStrictEqual(given.sort(byId));
  expect(points.balance).toBe(points.lots.left);

  const credits = redemptions.filter(({ status, reward }) => status === "completed" && reward === "booking_credit");
  const onBookings = bookings.reduce((sum, booking) => sum + creditOn(booking), 0);
  expect(points.credit + onBookings).toBe(credits.length * BOOKING_CREDIT);

  for (const { bookingId, flightId, status, cabin, seats } of bookings) {
    const flight = fold(flightDecider, await historyOf<FlightEvent>(disk, `flight-${flightId}`));
    if (flight.status === "unscheduled") throw new Error("the flight is on sale");
    const occupant = flight.occupancy.occupants.get(bookingId);
    if (status === "cancelled") expect(occupant).toBeUndefined();
    else expect(occupant).toMatchObject({ cabin, seats, change: null });
  }
}

/** Credit of a booking that was cancelled in time is the account's again. */
function creditOn(booking: ExistingBooking): number {
  const givenBack = booking.status === "cancelled" && booking.departsAt - booking.cancelledAt >= 24 * 3_600_000;
  return givenBack ? 0 : booking.creditApplied;
}

function byId(one: { readonly redemptionId: string }, other: { readonly redemptionId: string }): number {
  return one.redemptionId < other.redemptionId ? -1 : 1;
}
