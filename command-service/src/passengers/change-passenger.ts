import { type ChangePassengerRequest, passengerBody } from "@travel-booking/api-contract";
import {
  type EmailClaim,
  holdsEmailBy,
  type PassengerChanged,
  type PassengerChanges,
  type PassengerEvent,
  passengerDecider,
  profileOf,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { refused } from "../edge/refused.ts";
import { ok } from "../edge/responses.ts";
import { latest } from "../handling/latest.ts";
import { type AccountCommand, accountCommand, stepContext } from "../handling/request-context.ts";
import { releaseEmail, settleEmailClaim } from "../policies/settle-email-claim.ts";
import type { CommandServices } from "../services.ts";
import { passengerStream } from "../streams.ts";
import { claimEmail } from "./claim-email.ts";
import { emailKeyOf } from "./email-key.ts";

/**
 * `PATCH /v1/passengers/{id}`. A change that keeps the e-mail address is one decision. A new address is claimed, taken
 * over by the profile, and the one before is released; a claim that is not taken over is released instead
 * (compensation: `settleEmailClaim`). After a crash the obligations `settle_email_claim` and `release_email` do it.
 */
export function changePassenger(services: CommandServices) {
  return async (request: ApiRequest<unknown, ChangePassengerRequest>): Promise<ApiResponse> => {
    const command = accountCommand(request);
    const passengerId = request.params.id ?? "";
    const changes = changesIn(request.body);
    // Decided without a claim first: only the profile knows whether its address becomes another one.
    const outcome = await decide(services, command, passengerId, changes, null);
    if (outcome.accepted || outcome.rejection.code !== "email_not_claimed" || changes.email === undefined) {
      return answer(services, command, outcome);
    }
    const claim = { claimId: command.identity.commandId, emailKey: emailKeyOf(changes.email) };
    const owned = { accountId: command.caller.accountId, passengerId, ...claim };
    const refusal = await claimEmail(services, stepContext(command, 0), owned);
    if (refusal !== undefined) return refused(refusal.rejection, latest(outcome.position, refusal.position));
    const claimed = await decide(services, command, passengerId, changes, claim);
    services.reached("passenger:changed");
    const settled = claimed.accepted && claimed.reply.taken ? undefined : await settleEmailClaim(services, owned);
    return answer(services, command, { ...claimed, position: latest(claimed.position, settled) });
  };
}

function decide(
  { handler }: CommandServices,
  command: AccountCommand,
  passengerId: string,
  changes: PassengerChanges,
  claim: EmailClaim | null,
) {
  const { accountId } = command.caller;
  return handler.execute({
    stream: passengerStream(passengerId),
    decider: passengerDecider,
    command: { type: "ChangePassenger", accountId, changes, claim },
    context: stepContext(command, 1),
    reply: (state, events) => ({
      profile: profileOf(state, accountId),
      taken: holdsEmailBy(state, command.identity.commandId),
      freed: freedBy(events),
    }),
  });
}

type Decided = Awaited<ReturnType<typeof decide>>;

/** Releases the address before, also where an earlier attempt decided and did not come so far. */
async function answer(services: CommandServices, command: AccountCommand, outcome: Decided): Promise<ApiResponse> {
  if (!outcome.accepted) return refused(outcome.rejection, outcome.position);
  const { profile, freed } = outcome.reply;
  const released = freed && (await releaseEmail(services, stepContext(command, 2), freed));
  const position = latest(outcome.position, released);
  // Deleted since an earlier attempt changed it.
  if (profile === undefined) return refused({ code: "profile_not_found" }, position);
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
