import { type ChangePassengerRequest, passengerBody } from "@travel-booking/api-contract";
import {
  type EmailClaim,
  holdsEmailClaim,
  type PassengerChanged,
  type PassengerChanges,
  type PassengerEvent,
  profileOf,
  releaseEmail,
  settleEmailClaim,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { type CommandRequest, commandRequest, latestPosition, stepContext } from "../command-handling/command.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { ok, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { passengerStream } from "../streams.ts";
import { claimEmail } from "./email-claims.ts";

/**
 * `PATCH /v1/passengers/{id}`. A change that keeps the e-mail address is one decision. A new address is claimed, the
 * profile takes it over, and the old one is released. If the profile does not, the claim is released (compensation:
 * `settleEmailClaim`). After a crash the due tasks `settle_email_claim` and `release_email` do it.
 */
export function changePassenger(services: CommandServices) {
  return async (request: ApiRequest<unknown, ChangePassengerRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const passengerId = request.params.id ?? "";
    const changes = changesIn(request.body);
    // First decided without a claim, because only the profile knows whether its address changes.
    const outcome = await decide(services, command, passengerId, changes, null);
    if (outcome.accepted || outcome.rejection.code !== "email_not_claimed" || changes.email === undefined) {
      return changeResponse(services, command, outcome);
    }
    const { accountId } = command.caller;
    const emailKey = await services.words.keys.emailKey(accountId, changes.email);
    const claim = { claimId: command.identity.commandId, emailKey };
    const owned = { accountId, passengerId, ...claim };
    const refusal = await claimEmail(services, stepContext(command, 0), owned);
    if (refusal !== undefined)
      return rejectionResponse(refusal.rejection, latestPosition(outcome.position, refusal.position));
    const claimed = await decide(services, command, passengerId, changes, claim);
    services.reachedFaultPoint("passenger:changed");
    if (claimed.accepted && claimed.reply.taken) return changeResponse(services, command, claimed);
    const settled = await runFollowUp(services, settleEmailClaim(owned));
    const position = latestPosition(claimed.position, settled?.position);
    return changeResponse(services, command, { ...claimed, position });
  };
}

function decide(
  { handler }: CommandServices,
  command: CommandRequest,
  passengerId: string,
  changes: PassengerChanges,
  claim: EmailClaim | null,
) {
  const { accountId } = command.caller;
  return handler.execute({
    ...passengerStream(passengerId),
    command: { type: "ChangePassenger", accountId, changes, claim },
    context: stepContext(command, 1),
    reply: (state, events) => ({
      profile: profileOf(state, accountId),
      taken: holdsEmailClaim(state, command.identity.commandId),
      freed: freedBy(events),
    }),
  });
}

type Decided = Awaited<ReturnType<typeof decide>>;

/** Releases the old address, also if an earlier attempt ended between its decision and this step. */
async function changeResponse(
  services: CommandServices,
  command: CommandRequest,
  outcome: Decided,
): Promise<ApiResponse> {
  if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
  const { profile, freed } = outcome.reply;
  const released = freed && (await runFollowUp(services, releaseEmail(freed), stepContext(command, 2)));
  const position = latestPosition(outcome.position, released?.position);
  // The profile was deleted after an earlier attempt changed it.
  if (profile === undefined) return rejectionResponse({ code: "profile_not_found" }, position);
  return ok(passengerBody(profile), position);
}

function freedBy(events: readonly PassengerEvent[]) {
  const changed = events.find((event): event is PassengerChanged => event.type === "PassengerChanged");
  if (changed === undefined || changed.data.freed === null) return undefined;
  const { passengerId, accountId, freed } = changed.data;
  return { passengerId, accountId, ...freed };
}

function changesIn({ metadata, ...body }: ChangePassengerRequest): PassengerChanges {
  return { ...body, ...(metadata && { metadata: Object.entries(metadata) }) };
}
