import { type CreateBookingRequest, changeBookingSchema, toProblems } from "@travel-booking/api-contract";
import { type BookingPassenger, bookingOf, type Rejection, travellerOf } from "@travel-booking/domain";
import { type ApiResponse, errorResponse, insufficientScope } from "@travel-booking/http";
import type { ClientRequest } from "../command-handling/command.ts";
import { rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, passengerStream } from "../streams.ts";
import { explainMissingHold } from "./seat-holds.ts";
import { previewSeats } from "./unpaid-seats.ts";

type Booked = CreateBookingRequest["passengers"];

/**
 * The party of a new booking, with saved passengers as they are now. A booking that an earlier attempt made keeps its
 * party. Undefined: the account has no such saved passenger.
 */
export async function partyOf(
  { handler }: CommandServices,
  { caller, identity: attempt }: ClientRequest,
  bookingId: string,
  booked: Booked,
): Promise<readonly BookingPassenger[] | ApiResponse | undefined> {
  if (booked.every((passenger) => "name" in passenger)) return booked;
  const { accountId, scopes } = caller;
  if (!scopes.has("passengers:read")) return insufficientScope("passengers:read");
  const made = attempt.repeated
    ? await handler.readState({
        ...bookingStream(bookingId),
        attempt,
        reply: (booking) => bookingOf(booking, accountId)?.passengers,
      })
    : undefined;
  if (made !== undefined) return made;
  const party = await Promise.all(
    booked.map((passenger) =>
      "name" in passenger
        ? passenger
        : handler.readState({
            ...passengerStream(passenger.passengerId),
            attempt,
            reply: (saved) => travellerOf(saved, accountId),
          }),
    ),
  );
  if (!party.every((passenger) => passenger !== undefined)) return undefined;
  // Two names of a profile together may be longer than one of a booking.
  const { error } = changeBookingSchema.safeParse({ passengers: party });
  return error === undefined ? party : errorResponse(400, "invalid_request", toProblems(error));
}

/** The response where a saved passenger is missing. A missing flight or hold comes first (docs/rules.md#making-a-booking). */
export async function profileNotFound(
  services: CommandServices,
  command: ClientRequest,
  taking: Omit<Parameters<typeof previewSeats>[1], "attempt">,
  holdId: string | undefined,
): Promise<ApiResponse> {
  const refusal = await previewSeats(services, { ...taking, attempt: command.identity });
  const explained = refusal && (await explainMissingHold(services, command, holdId, refusal));
  const first = explained && rejectionResponse(explained);
  const missing: Rejection = { code: "profile_not_found" };
  return first?.status === 404 ? first : rejectionResponse(missing);
}
