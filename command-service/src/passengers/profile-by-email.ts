import {
  type BookingPassenger,
  canonicalEmail,
  NO_SEAT_PREFERENCES,
  type PassengerProfileState,
  type PassengerSeatPreferences,
  passengerDecider,
  passengerEmailDecider,
  profileOf,
} from "@travel-booking/domain";
import type { CommandHandler } from "../command-handling/command-handler.ts";
import type { CommandServices } from "../services.ts";
import { passengerEmailStream, passengerStream } from "../streams.ts";
import { emailKeyOf } from "./email-key.ts";

/**
 * The saved passenger of an account who has this e-mail address, whatever its case; undefined where there is none.
 * Read from the streams, so it is never behind.
 * @throws EventStoreUnavailable the store is out of reach.
 */
export async function findProfileByEmail(
  handler: Pick<CommandHandler, "readState">,
  accountId: string,
  email: string,
): Promise<PassengerProfileState | undefined> {
  const holder = await handler.readState({
    stream: passengerEmailStream(accountId, emailKeyOf(email)),
    decider: passengerEmailDecider,
    reply: (address) => (address.status === "held" ? address.passengerId : undefined),
  });
  if (holder === undefined) return undefined;
  const profile = await handler.readState({
    stream: passengerStream(holder),
    decider: passengerDecider,
    reply: (passenger) => profileOf(passenger, accountId),
  });
  // The address may be claimed by a change that is still under way.
  return profile !== undefined && canonicalEmail(profile.email) === canonicalEmail(email) ? profile : undefined;
}

/** What the saved profiles of these passengers prefer, in their order; nothing where there is no profile. */
export function seatPreferencesOf(
  { handler }: CommandServices,
  accountId: string,
  passengers: readonly BookingPassenger[],
): Promise<readonly PassengerSeatPreferences[]> {
  return Promise.all(
    passengers.map(async ({ email }) => {
      const profile = await findProfileByEmail(handler, accountId, email);
      return profile === undefined
        ? NO_SEAT_PREFERENCES
        : { seat: profile.preferences.seat, cryosleep: profile.preferences.cryosleep };
    }),
  );
}
