import { releaseEmail } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { commandRequest, latestPosition, stepContext } from "../command-handling/command.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { noContent, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { passengerStream } from "../streams.ts";

/**
 * `DELETE /v1/passengers/{id}`. The e-mail address is free when the response is sent. After a crash in between, the due
 * task `release_email` frees it.
 */
export function deletePassenger(services: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const { accountId } = command.caller;
    const passengerId = request.params.id ?? "";
    const outcome = await services.handler.execute({
      ...passengerStream(passengerId),
      command: { type: "DeletePassenger", accountId },
      context: stepContext(command, 0),
      reply: (state) => (state.status === "created" ? state.claim : undefined),
    });
    services.reachedFaultPoint("passenger:deleted");
    if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
    if (outcome.reply === undefined) return noContent(outcome.position);
    const claim = { accountId, passengerId, ...outcome.reply };
    const released = await runFollowUp(services, releaseEmail(claim), stepContext(command, 1));
    return noContent(latestPosition(outcome.position, released?.position));
  };
}
