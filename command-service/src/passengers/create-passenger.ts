import { type CreatePassengerRequest, type PassengerProfileBody, passengerBody } from "@travel-booking/api-contract";
import {
  type PassengerDetails,
  type PassengerEvent,
  type PassengerState,
  passengerDecider,
  settleEmailClaim,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { passengerIdOf } from "@travel-booking/runtime";
import { commandRequest, latestPosition, stepContext } from "../command-handling/command.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { created, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { passengerStream } from "../streams.ts";
import { claimEmail } from "./email-claims.ts";

/**
 * `POST /v1/passengers`. The e-mail address is claimed first, then the profile is created with the claim. If it is not
 * created, the claim is released (compensation: `settleEmailClaim`, or after a crash the due task
 * `settle_email_claim`).
 */
export function createPassenger(services: CommandServices) {
  return async (request: ApiRequest<unknown, CreatePassengerRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const { handler, clock, reachedFaultPoint } = services;
    const { accountId } = command.caller;
    const { commandId: claimId, repeated } = command.identity;
    const passengerId = passengerIdOf(claimId);
    const emailKey = await services.words.keys.emailKey(accountId, request.body.email);
    const claim = { claimId, emailKey };
    const creation = {
      type: "CreatePassenger",
      passengerId,
      accountId,
      details: details(request.body),
      claim,
    } as const;
    const { rejection } = passengerDecider.decide(creation, passengerDecider.initialState(), clock.now());
    if (rejection !== undefined) return rejectionResponse(rejection);

    const owned = { accountId, passengerId, ...claim };
    const refusal = await claimEmail(services, stepContext(command, 0), owned);
    if (refusal !== undefined) return rejectionResponse(refusal.rejection, refusal.position);
    const outcome = await handler.execute({
      ...passengerStream(passengerId),
      newStream: !repeated,
      command: creation,
      context: stepContext(command, 1),
      reply: bodyAsCreated,
    });
    reachedFaultPoint("passenger:created");
    if (outcome.accepted) return created(outcome.reply, outcome.position);
    const settled = await runFollowUp(services, settleEmailClaim(owned));
    return rejectionResponse(outcome.rejection, latestPosition(outcome.position, settled?.position));
  };
}

function details({ metadata, ...body }: CreatePassengerRequest): PassengerDetails {
  return { ...body, metadata: Object.entries(metadata) };
}

/** The profile as created, without later changes, because a repeated request gets the first response. */
function bodyAsCreated(state: PassengerState, events: readonly PassengerEvent[]): PassengerProfileBody {
  const creation = events.find(({ type }) => type === "PassengerCreated");
  const first = creation === undefined ? state : passengerDecider.evolve(passengerDecider.initialState(), creation);
  if (first.status !== "created") throw new Error("a passenger was created and is not there");
  return passengerBody(first.profile);
}
