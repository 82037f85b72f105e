import {
  type AnswerDisruptionRequest,
  disruptionBody,
  type RebookDisruptionRequest,
} from "@travel-booking/api-contract";
import {
  type AnswerCase,
  type BookingState,
  bookingDecider,
  bookingIdOfCase,
  type Cabin,
  caseOf,
  isExistingBooking,
} from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";
import { type CommandRequest, commandRequest, inTheNameOf } from "../command-handling/command.ts";
import { type CommandServices, servicesFor } from "../services.ts";
import { bookingStream } from "../streams.ts";
import { mayEndBooking } from "./end-booking.ts";
import { moveBooking } from "./move-booking.ts";
import { takeCabin } from "./take-cabin.ts";

/** `POST /v1/disruptions/{id}/accept` and `refund` */
export function answerDisruption(services: CommandServices, word: "accept" | "refund") {
  return (request: ApiRequest<unknown, AnswerDisruptionRequest>): Promise<ApiResponse> =>
    answer(servicesFor(request, services), commandRequest(request), request.params.id ?? "", {
      answer: word,
      ...request.body,
    });
}

/** `POST /v1/disruptions/{id}/rebook` */
export function rebookDisruption(services: CommandServices) {
  return (request: ApiRequest<unknown, RebookDisruptionRequest>): Promise<ApiResponse> =>
    answer(servicesFor(request, services), commandRequest(request), request.params.id ?? "", {
      answer: "rebook",
      ...request.body,
    });
}

/** What is answered to a case as of a revision. */
export type Answer =
  | ({ readonly answer: "accept" | "refund" } & AnswerDisruptionRequest)
  | ({ readonly answer: "rebook" } & RebookDisruptionRequest);

/** Answers a case. What leads to another flight is moved there, all else the booking decides alone. */
export async function answer(
  services: CommandServices,
  request: CommandRequest,
  caseId: string,
  asked: Answer,
): Promise<ApiResponse> {
  const bookingId = bookingIdOfCase(caseId);
  if (bookingId === undefined) return errorResponse(404, "disruption_not_found", "no disruption with this id");
  const body = (booking: BookingState) => disruptionBody(bookingId, caseOf(booking, caseId));
  const { revision } = asked;
  const target =
    asked.answer === "rebook" ? { answer: asked.answer, flightId: asked.flightId } : { answer: asked.answer };
  const command: AnswerCase = { type: "AnswerCase", ...inTheNameOf(request), caseId, revision, ...target };
  const journey = await journeyElsewhere(services, request, bookingId, command);
  if (journey === undefined)
    return mayEndBooking(services, request, { bookingId, command, body, faultPoint: "answer:recorded" });
  const { flightId, cabin } = journey;
  if (cabin !== undefined) return takeCabin(services, request, { bookingId, caseId, revision, cabin, body });
  const { seats = [], holdId } = asked.answer === "rebook" ? asked : {};
  const word = asked.answer === "rebook" ? "rebook" : "accept";
  return moveBooking(services, request, { bookingId, caseId, revision, flightId, seats, holdId, answer: word, body });
}

/** Another flight, or another cabin of the same; undefined: the booking decides on the answer without, or refuses it. */
function journeyElsewhere(
  { handler, clock }: CommandServices,
  { identity: attempt }: CommandRequest,
  bookingId: string,
  command: AnswerCase,
): Promise<{ readonly flightId: string; readonly cabin?: Cabin } | undefined> {
  return handler.readState({
    ...bookingStream(bookingId),
    attempt,
    reply: (booking) => {
      const { rejection } = bookingDecider.decide(command, booking, clock.now());
      if (rejection?.code !== "not_moved_yet" || !isExistingBooking(booking)) return undefined;
      if (command.answer === "rebook") return { flightId: command.flightId };
      const { flightId = "", cabin = booking.cabin } = caseOf(booking, command.caseId).after ?? {};
      return { flightId, ...(flightId === booking.flightId && { cabin }) };
    },
  });
}
