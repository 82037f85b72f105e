import type { CreatePassengerRequest } from "@travel-booking/api-contract";
import { type PassengerDetails, passengerDecider, settleEmailClaim } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { passengerIdOf } from "@travel-booking/runtime";
import { latestPosition } from "../command-handling/latest-position.ts";
import { commandRequest, stepContext } from "../command-handling/request-context.ts";
import { runSaga } from "../processes/run-saga.ts";
import { rejectionResponse } from "../responses/rejection.ts";
import { created } from "../responses/success.ts";
import type { CommandServices } from "../services.ts";
import { passengerStream } from "../streams.ts";
import { claimEmail } from "./claim-email.ts";
import { emailKeyOf } from "./email-key.ts";
import { bodyAsCreated } from "./passenger-bodies.ts";

/**
 * `POST /v1/passengers`. The e-mail address is claimed first, then the profile is created with the claim; a claim whose
 * profile does not come into being is released (compensation: `settleEmailClaim`, or the obligation
 * `settle_email_claim` after a crash).
 */
export function createPassenger(services: CommandServices) {
  return async (request: ApiRequest<unknown, CreatePassengerRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const { handler, clock, reachedFaultPoint } = services;
    const { accountId } = command.caller;
    const { commandId: claimId, repeated } = command.identity;
    const passengerId = passengerIdOf(claimId);
    const emailKey = emailKeyOf(request.body.email);
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
      stream: passengerStream(passengerId),
      newStream: !repeated,
      decider: passengerDecider,
      command: creation,
      context: stepContext(command, 1),
      reply: bodyAsCreated,
    });
    reachedFaultPoint("passenger:created");
    if (outcome.accepted) return created(outcome.reply, outcome.position);
    const settled = await runSaga(services, settleEmailClaim(owned));
    return rejectionResponse(outcome.rejection, latestPosition(outcome.position, settled.position));
  };
}

function details({ metadata, ...body }: CreatePassengerRequest): PassengerDetails {
  return { ...body, metadata: Object.entries(metadata) };
}
