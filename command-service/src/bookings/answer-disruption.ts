import { type AnswerDisruptionRequest, disruptionBody } from "@travel-booking/api-contract";
import { type BookingState, bookingIdOfCase, type CaseAnswer, caseOf } from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";
import { commandRequest, inTheNameOf } from "../command-handling/command.ts";
import { type CommandServices, servicesFor } from "../services.ts";
import { mayEndBooking } from "./end-booking.ts";

/** `POST /v1/disruptions/{id}/accept` and `refund` */
export function answerDisruption(services: CommandServices, answer: CaseAnswer) {
  return async (request: ApiRequest<unknown, AnswerDisruptionRequest>): Promise<ApiResponse> => {
    const { id: caseId = "" } = request.params;
    const bookingId = bookingIdOfCase(caseId);
    if (bookingId === undefined) return errorResponse(404, "disruption_not_found", "no disruption with this id");
    const asked = commandRequest(request);
    const { revision } = request.body;
    const command = { type: "AnswerCase", ...inTheNameOf(asked), caseId, revision, answer } as const;
    const body = (booking: BookingState) => disruptionBody(bookingId, caseOf(booking, caseId));
    const ending = { bookingId, command, body, faultPoint: "answer:recorded" };
    return mayEndBooking(servicesFor(request, services), asked, ending);
  };
}
