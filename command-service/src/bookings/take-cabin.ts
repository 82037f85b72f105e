import {
  applySeatChange,
  type BookingState,
  type Cabin,
  type CabinPlan,
  changesOf,
  type FlightState,
  finishSeatChange,
  hasAppliedSeatChange,
  isExistingBooking,
} from "@travel-booking/domain";
import type { ApiResponse } from "@travel-booking/http";
import { type CommandRequest, inTheNameOf, latestPosition, stepContext } from "../command-handling/command.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { ok, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { followFirst } from "./follow-first.ts";

interface AskedCabin {
  readonly bookingId: string;
  readonly caseId: string;
  readonly revision: number;
  readonly cabin: Cabin;
  readonly body: (booking: BookingState) => unknown;
}

/**
 * Takes a booking that has no place into another cabin of its flight: the flight reserves, the booking decides, and the flight keeps
 * the places or drops them, in this request or, after a crash, by the due task of a change of seats.
 */
export async function takeCabin(
  services: CommandServices,
  request: CommandRequest,
  { bookingId, caseId, revision, cabin, body }: AskedCabin,
): Promise<ApiResponse> {
  const { handler, reachedFaultPoint } = services;
  const flightId = await handler.readState({
    ...bookingStream(bookingId),
    attempt: request.identity,
    reply: (booking) => (isExistingBooking(booking) ? booking.flightId : ""),
  });
  const { accountId } = request.caller;
  const changeId = request.identity.commandId;
  const reserved = await handler.execute({
    ...flightStream(flightId),
    command: { type: "ReserveCabin", bookingId, accountId, changeId, cabin },
    context: stepContext(request, 0),
    reply: (flight) => ({ fare: fareIn(flight, cabin), changes: changesOf(flight) }),
  });
  if (!reserved.accepted) return rejectionResponse(reserved.rejection, reserved.position);
  reachedFaultPoint("cabin:reserved");
  const { fare, changes } = reserved.reply;
  await followFirst(services, request, { flightId, bookingId, changes });
  const decided = await handler.execute({
    ...bookingStream(bookingId),
    command: { type: "TakeCabin", ...inTheNameOf(request), caseId, revision, flightId, changeId, cabin, fare },
    context: stepContext(request, 1),
    reply: (booking) => ({ shown: body(booking), taken: hasAppliedSeatChange(booking, changeId) }),
  });
  reachedFaultPoint("cabin:decided");
  const change = { flightId, bookingId, changeId };
  const taken = decided.accepted && decided.reply.taken;
  const ended = await runFollowUp(services, taken ? applySeatChange(change) : finishSeatChange(change));
  const position = latestPosition(decided.position, ended?.position);
  return decided.accepted ? ok(decided.reply.shown, position) : rejectionResponse(decided.rejection, position);
}

/** The flight has just reserved places in this cabin. */
function fareIn(flight: FlightState, cabin: Cabin): Pick<CabinPlan, "amount" | "currency"> {
  const plans = flight.status === "scheduled" ? flight.occupancy.plan.cabins : [];
  const plan = plans.find((each) => each.cabin === cabin);
  if (plan === undefined) throw new Error(`the flight has reserved places in ${cabin}, which it lacks`);
  return { amount: plan.amount, currency: plan.currency };
}
