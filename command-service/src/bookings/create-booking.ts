import type { CreateBookingRequest } from "@travel-booking/api-contract";
import {
  changesOf,
  type FlightEvent,
  type FlightState,
  pointsRateOf,
  settleCreditClaim,
  undoAllocation,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { bookingIdOf } from "@travel-booking/runtime";
import { commandRequest, latestPosition, stepContext } from "../command-handling/command.ts";
import { claimCredit, hasCredit } from "../loyalty/loyalty-commands.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { bookingBodyOf, created, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { partyOf, profileNotFound } from "./party.ts";
import { explainMissingHold } from "./seat-holds.ts";
import { takeSeats } from "./unpaid-seats.ts";

/** The step in which credit is claimed. It was added later, so its number comes after the others. */
const CREDIT_CLAIM_STEP = 3;

/**
 * `POST /v1/bookings`. The flight gives seats and price, then credit of the account is claimed, then the booking is
 * created with them. If it is not created, the seats go back (compensation: `undoAllocation`, or after a crash the due
 * task `claim_allocation`). The credit goes back the same way (`settleCreditClaim`, due task `settle_credit_claim`).
 */
export function createBooking(services: CommandServices) {
  return async (request: ApiRequest<unknown, CreateBookingRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const { handler, reachedFaultPoint } = services;
    const { flightId, cabin, passengers, seats, holdId, reference, metadata } = request.body;
    const bookingId = bookingIdOf(command.identity.commandId);
    const { accountId } = command.caller;

    const taking = {
      ...flightStream(flightId),
      command: {
        type: "AllocateSeats",
        bookingId,
        accountId,
        cabin,
        passengers: passengers.length,
        seats: seats ?? [],
        holdId: holdId ?? null,
        unpaidSeatsPercent: services.quotas.unpaidSeatsPercent,
      },
    } as const;
    // Read before the first step, so that nothing is attempted if reading fails.
    const party = await partyOf(services, command, bookingId, passengers);
    if (party === undefined) return profileNotFound(services, command, taking, holdId);
    if ("status" in party) return party;
    const passengerIds = passengers.flatMap((each) => ("passengerId" in each ? [each.passengerId] : []));
    const creditBanked = await hasCredit(services, command, bookingId);
    const allocation = await takeSeats(services, {
      ...taking,
      context: stepContext(command, 0),
      replyBeforeDurable: true,
      reply: allocated,
    });
    if (!allocation.accepted)
      return rejectionResponse(
        await explainMissingHold(services, command, holdId, allocation.rejection),
        allocation.position,
      );
    reachedFaultPoint("book:allocated");
    const creditApplied = creditBanked
      ? await claimCredit(services, command, CREDIT_CLAIM_STEP, bookingId, {
          ...allocation.reply,
          passengers: passengers.length,
        })
      : 0;

    const booking = await handler.execute({
      ...bookingStream(bookingId),
      newStream: !command.identity.repeated,
      command: {
        type: "CreateBooking",
        bookingId,
        accountId,
        flightId,
        cabin,
        passengers: party,
        reference: reference ?? null,
        ...(metadata && { metadata: Object.entries(metadata) }),
        ...(passengerIds.length > 0 && { passengerIds }),
        creditApplied,
        pointsRate: pointsRateOf(services.loyaltyRates, allocation.reply.currency),
        ...allocation.reply,
      },
      context: stepContext(command, 1),
      lastStep: true,
      reply: bookingBodyOf,
    });
    reachedFaultPoint("book:created");
    if (booking.accepted) return created(booking.reply, booking.position);
    const released = await runFollowUp(services, undoAllocation(flightId, bookingId), stepContext(command, 2));
    const settled = creditBanked ? await runFollowUp(services, settleCreditClaim(accountId, bookingId)) : undefined;
    const position = latestPosition(booking.position, released?.position, settled?.position);
    return rejectionResponse(booking.rejection, position);
  };
}

/** The seats that the flight gave the booking, their price, and the departure of that moment. */
function allocated(flight: FlightState, events: readonly FlightEvent[]) {
  const allocation = events.find((event) => event.type === "SeatsAllocated");
  if (flight.status !== "scheduled" || allocation === undefined) throw new Error("accepted, and nothing is allocated");
  const { seats, fareAmount, surcharges, currency, flightRevision } = allocation.data;
  const about = flightRevision === undefined ? {} : { flightRevision };
  const next = changesOf(flight).find(({ revision, before }) => revision > (flightRevision ?? 0) && before !== null);
  const { departsAt } = next?.before ?? flight.occupancy.plan;
  return { seats, fareAmount, surcharges, currency, departsAt, ...about };
}
