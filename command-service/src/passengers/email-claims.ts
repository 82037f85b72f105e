import {
  type BookingPassenger,
  canonicalEmail,
  NO_SEAT_PREFERENCES,
  type PassengerEmailClaim,
  type PassengerProfileState,
  type PassengerSeatPreferences,
  type PassengerState,
  profileOf,
  type Rejection,
} from "@travel-booking/domain";
import type { CommandContext } from "../command-handling/command.ts";
import type { CommandServices } from "../services.ts";
import { passengerEmailStream, passengerStream } from "../streams.ts";

/** Why a claim was refused, with the log position of the reason; undefined: the address is claimed. */
type ClaimRejection = { readonly rejection: Rejection; readonly position: bigint } | undefined;

/**
 * Claims an e-mail address for a passenger. Replies before the claim is durable, because the profile that takes it over
 * is recorded after it.
 */
export async function claimEmail(
  services: CommandServices,
  context: CommandContext,
  { accountId, emailKey, passengerId, claimId }: PassengerEmailClaim,
): Promise<ClaimRejection> {
  const claimed = await services.handler.execute({
    ...passengerEmailStream(accountId, emailKey),
    command: { type: "ClaimEmail", accountId, emailKey, passengerId, claimId },
    context,
    replyBeforeDurable: true,
    reply: () => undefined,
  });
  if (claimed.accepted) {
    services.reachedFaultPoint("passenger:claimed");
    return undefined;
  }
  const { rejection, position } = claimed;
  if (rejection.code !== "email_taken") return claimed;
  const isTaken = await services.handler.readState({
    ...passengerStream(String(rejection.facts?.passengerId)),
    attempt: context.attempt,
    reply: (holder) => hasEmail(holder, emailKey),
  });
  return { rejection: isTaken ? rejection : { code: "email_claim_open" }, position };
}

/** False if the address is only claimed so far, or is about to be released. */
function hasEmail(holder: PassengerState, emailKey: string): boolean {
  return holder.status === "created" && !holder.profile.deleted && holder.claim.emailKey === emailKey;
}

/**
 * The saved passenger of an account with this e-mail address, in any case; undefined if there is none. Read from the
 * streams, so it is never stale.
 * @throws EventStoreUnavailable the store is out of reach.
 */
export async function findProfileByEmail(
  { handler, words }: Pick<CommandServices, "handler" | "words">,
  accountId: string,
  email: string,
): Promise<PassengerProfileState | undefined> {
  const emailKey = await words.keys.emailKey(accountId, email);
  const holder = await handler.readState({
    ...passengerEmailStream(accountId, emailKey),
    reply: (address) => (address.status === "held" ? address.passengerId : undefined),
  });
  if (holder === undefined) return undefined;
  const profile = await handler.readState({
    ...passengerStream(holder),
    reply: (passenger) => profileOf(passenger, accountId),
  });
  // The address may be claimed by a change that is still under way.
  return profile !== undefined && canonicalEmail(profile.email) === canonicalEmail(email) ? profile : undefined;
}

/** The seat preferences in the saved profiles of these passengers, in their order. None without a profile. */
export function seatPreferencesOf(
  services: CommandServices,
  accountId: string,
  passengers: readonly BookingPassenger[],
): Promise<readonly PassengerSeatPreferences[]> {
  return Promise.all(
    passengers.map(async ({ email }) => {
      const profile = await findProfileByEmail(services, accountId, email);
      return profile === undefined
        ? NO_SEAT_PREFERENCES
        : { seat: profile.preferences.seat, cryosleep: profile.preferences.cryosleep };
    }),
  );
}
