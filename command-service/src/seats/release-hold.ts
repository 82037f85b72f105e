import { flightDecider } from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { commandRequest, stepContext } from "../command-handling/request-context.ts";
import { rejectionResponse } from "../responses/rejection.ts";
import { noContent } from "../responses/success.ts";
import type { CommandServices } from "../services.ts";
import { flightStream } from "../streams.ts";

/** `DELETE /v1/flights/{id}/seat-holds/{holdId}` */
export function releaseHold({ handler }: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const outcome = await handler.execute({
      stream: flightStream(request.params.id ?? ""),
      decider: flightDecider,
      command: { type: "ReleaseHold", holdId: request.params.holdId ?? "", accountId: command.caller.accountId },
      context: stepContext(command, 0),
      reply: () => undefined,
    });
    return outcome.accepted ? noContent(outcome.position) : rejectionResponse(outcome.rejection, outcome.position);
  };
}
