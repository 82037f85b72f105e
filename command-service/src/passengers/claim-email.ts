import {
  type PassengerEmailClaim,
  type PassengerState,
  passengerDecider,
  passengerEmailDecider,
  type Rejection,
} from "@travel-booking/domain";
import type { CommandContext } from "../command-handling/command-context.ts";
import type { CommandServices } from "../services.ts";
import { passengerEmailStream, passengerStream } from "../streams.ts";

/** The answer to a claim: refused, with what that rests on; undefined where the address is the passenger's own. */
export type ClaimRejection = { readonly rejection: Rejection; readonly position: bigint } | undefined;

/**
 * Claims an e-mail address for a passenger. The step is answered when it is decided: the profile that takes the claim
 * over is recorded behind it.
 */
export async function claimEmail(
  services: CommandServices,
  context: CommandContext,
  { accountId, emailKey, passengerId, claimId }: PassengerEmailClaim,
): Promise<ClaimRejection> {
  const claimed = await services.handler.execute({
    stream: passengerEmailStream(accountId, emailKey),
    decider: passengerEmailDecider,
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
  const isTheirs = await services.handler.readState({
    stream: passengerStream(String(rejection.facts?.passengerId)),
    decider: passengerDecider,
    reply: (holder) => hasEmail(holder, emailKey),
  });
  return { rejection: isTheirs ? rejection : { code: "email_claim_open" }, position };
}

/** Else the address is only claimed so far, or about to be released. */
function hasEmail(holder: PassengerState, emailKey: string): boolean {
  return holder.status === "created" && !holder.profile.deleted && holder.claim.emailKey === emailKey;
}
