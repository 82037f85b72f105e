import { passengerDecider } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { refused } from "../edge/refused.ts";
import { noContent } from "../edge/responses.ts";
import { latest } from "../handling/latest.ts";
import { accountCommand, stepContext } from "../handling/request-context.ts";
import { releaseEmail } from "../policies/settle-email-claim.ts";
import type { CommandServices } from "../services.ts";
import { passengerStream } from "../streams.ts";

/**
 * `DELETE /v1/passengers/{id}`. Whoever is answered may use the e-mail address again at once; after a crash in between
 * the obligation `release_email` frees it.
 */
export function deletePassenger(services: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const command = accountCommand(request);
    const { accountId } = command.caller;
    const passengerId = request.params.id ?? "";
    const outcome = await services.handler.execute({
      stream: passengerStream(passengerId),
      decider: passengerDecider,
      command: { type: "DeletePassenger", accountId },
      context: stepContext(command, 0),
      reply: (state) => (state.status === "created" ? state.claim : undefined),
    });
    services.reached("passenger:deleted");
    if (!outcome.accepted) return refused(outcome.rejection, outcome.position);
    if (outcome.reply === undefined) return noContent(outcome.position);
    const released = await releaseEmail(services, stepContext(command, 1), {
      accountId,
      passengerId,
      ...outcome.reply,
    });
    return noContent(latest(outcome.position, released));
  };
}
