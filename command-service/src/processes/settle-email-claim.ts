import {
  holdsEmailClaim,
  type PassengerEmailClaim,
  passengerDecider,
  passengerEmailDecider,
} from "@travel-booking/domain";
import type { CommandContext } from "../command-handling/command-context.ts";
import type { CommandServices } from "../services.ts";
import { passengerEmailStream, passengerStream } from "../streams.ts";
import { systemContext } from "./system-context.ts";

/**
 * Releases a claim its profile has not taken over. The profile is closed against it first: from then on neither a slow
 * request nor a repeated one can take it over, so a profile without a claim on its address can't appear.
 */
export async function settleEmailClaim(services: CommandServices, claim: PassengerEmailClaim): Promise<bigint> {
  const { passengerId, claimId } = claim;
  const closed = await services.handler.execute({
    stream: passengerStream(passengerId),
    decider: passengerDecider,
    command: { type: "CloseEmailClaim", passengerId, claimId },
    context: systemContext(services),
    reply: (passenger) => holdsEmailClaim(passenger, claimId),
  });
  services.reachedFaultPoint("passenger:closed");
  return closed.accepted && closed.reply ? closed.position : releaseEmail(services, systemContext(services), claim);
}

/** Releases a claim nobody can take over any more. Harmless to repeat. Answers the log position that shows it. */
export async function releaseEmail(
  { handler, reachedFaultPoint }: CommandServices,
  context: CommandContext,
  { accountId, emailKey, passengerId, claimId }: PassengerEmailClaim,
): Promise<bigint> {
  const released = await handler.execute({
    stream: passengerEmailStream(accountId, emailKey),
    decider: passengerEmailDecider,
    command: { type: "ReleaseEmail", accountId, emailKey, passengerId, claimId },
    context,
    reply: () => undefined,
  });
  reachedFaultPoint("passenger:released");
  return released.position;
}
