import { type BoardingPassesBody, boardingPassesBody, type DestinationBody } from "@travel-booking/api-contract";
import type { ExistingBooking } from "@travel-booking/domain";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { DESTINATIONS, findPassengerByEmail, tierOfAccount } from "@travel-booking/read-models";
import { findOccupancy } from "../flights/current-flight.ts";

/** The boarding passes of a booking that has seats: of one passenger, or of all. */
export async function readPasses(
  models: ReadModels,
  booking: ExistingBooking,
  passenger: number | undefined,
): Promise<BoardingPassesBody> {
  const { accountId, flightId, passengers } = booking;
  const occupancy = await findOccupancy(models, flightId);
  if (occupancy === undefined)
    throw new Error(`booking ${booking.bookingId} is on flight ${flightId}, which nobody knows`);
  const { plan } = occupancy;
  const [destination, tier, ...profiles] = await Promise.all([
    models.body(DESTINATIONS.destination.model, plan.destinationId),
    tierOfAccount(models, accountId),
    ...passengers.map(({ email }) => findPassengerByEmail(models, accountId, email)),
  ]);
  const destinationName = destination && parseBody<DestinationBody>(destination).name;
  return boardingPassesBody(
    {
      booking,
      plan,
      destinationName: destinationName ?? plan.destinationId,
      tier,
      memberNumbers: profiles.map((profile) => profile?.loyaltyNumber ?? null),
    },
    passenger === undefined ? [...passengers.keys()] : [passenger],
  );
}
