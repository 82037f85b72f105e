import { type AnswerDisruptionRequest, disruptionBody } from "@travel-booking/api-contract";
import { bookingIdOfCase, type CaseAnswer, caseOf, refundsToSend, returnCancelled } from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";
import {
  type CommandRequest,
  commandRequest,
  inTheNameOf,
  latestPosition,
  stepContext,
} from "../command-handling/command.ts";
import { creditGivenUpIn } from "../loyalty/loyalty-commands.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { existingBooking, ok, rejectionResponse } from "../responses.ts";
import { type CommandServices, servicesFor } from "../services.ts";
import { bookingStream } from "../streams.ts";

/** `POST /v1/disruptions/{id}/accept` and `refund` */
export function answerDisruption(services: CommandServices, answer: CaseAnswer) {
  return async (request: ApiRequest<unknown, AnswerDisruptionRequest>): Promise<ApiResponse> =>
    settle(servicesFor(request, services), commandRequest(request), request.params.id ?? "", answer, request.body);
}

/**
 * Decides the case. Where that ends the booking, seats, credit and money go back as after a cancellation: by this request or,
 * after a crash, by due tasks.
 */
async function settle(
  services: CommandServices,
  command: CommandRequest,
  caseId: string,
  answer: CaseAnswer,
  { revision }: AnswerDisruptionRequest,
): Promise<ApiResponse> {
  const bookingId = bookingIdOfCase(caseId);
  if (bookingId === undefined) return errorResponse(404, "disruption_not_found", "no disruption with this id");
  const outcome = await services.handler.execute({
    ...bookingStream(bookingId),
    command: { type: "AnswerCase", ...inTheNameOf(command), caseId, revision, answer },
    context: stepContext(command, 0),
    reply: (state, events) => ({
      body: disruptionBody(bookingId, caseOf(state, caseId)),
      endedOn:
        events.length > 0 && existingBooking(state).status === "cancelled" ? existingBooking(state).flightId : null,
      refunds: refundsToSend(bookingId, state),
      credit: creditGivenUpIn(events),
    }),
  });
  if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
  services.reachedFaultPoint("answer:recorded");
  const { body, endedOn, refunds, credit } = outcome.reply;
  if (endedOn === null) return ok(body, outcome.position);
  const returning = returnCancelled(bookingId, endedOn, credit, refunds);
  const returned = await runFollowUp(services, returning, stepContext(command, 1));
  return ok(body, latestPosition(outcome.position, returned?.position));
}
