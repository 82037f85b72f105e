import {
  type BookingCommand,
  type BookingEvent,
  type BookingRejectionCode,
  type BookingState,
  changesOf,
  refundsToSend,
  returnCancelled,
} from "@travel-booking/domain";
import type { ApiResponse } from "@travel-booking/http";
import {
  type CommandExecution,
  type CommandOutcome,
  type CommandRequest,
  latestPosition,
  stepContext,
} from "../command-handling/command.ts";
import { creditGivenUpIn } from "../loyalty/loyalty-commands.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { existingBooking, ok, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";

interface EndingCommand {
  readonly bookingId: string;
  readonly command: BookingCommand;
  readonly body: (booking: BookingState) => unknown;
  readonly faultPoint: string;
}

/**
 * Decides what may end a booking, and its refunds. Where it does, seats and credit go back and refunds are sent, by this
 * request or, after a crash, by due tasks.
 */
export async function mayEndBooking(
  services: CommandServices,
  request: CommandRequest,
  { bookingId, command, body: bodyOf, faultPoint }: EndingCommand,
): Promise<ApiResponse> {
  const outcome = await executeEnding(services, {
    ...bookingStream(bookingId),
    command,
    context: stepContext(request, 0),
    reply: (state, events) => {
      const { status, flightId } = existingBooking(state);
      return {
        body: bodyOf(state),
        endedOn: events.length > 0 && status === "cancelled" ? flightId : null,
        refunds: refundsToSend(bookingId, state),
        credit: creditGivenUpIn(events),
      };
    },
  });
  if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
  services.reachedFaultPoint(faultPoint);
  const { body, endedOn, refunds, credit } = outcome.reply;
  if (endedOn === null) return ok(body, outcome.position);
  const returning = returnCancelled(bookingId, endedOn, credit, refunds);
  const returned = await runFollowUp(services, returning, stepContext(request, 1));
  return ok(body, latestPosition(outcome.position, returned?.position));
}

/**
 * Executes what may end a booking. Where that would lose something for good, the flight's own stream is read first, because what a
 * process knows of flights otherwise is a hint (docs/decisions/0065-a-flight-decides-first.md).
 */
export async function executeEnding<Reply>(
  { handler }: CommandServices,
  execution: CommandExecution<BookingCommand, BookingState, BookingEvent, BookingRejectionCode, Reply>,
): Promise<CommandOutcome<Reply, BookingRejectionCode>> {
  const outcome = await handler.execute(execution);
  if (outcome.accepted || outcome.rejection.code !== "flight_unread") return outcome;
  const flightId = String(outcome.rejection.facts?.flightId);
  const changes = await handler.readState({
    ...flightStream(flightId),
    attempt: execution.context.attempt,
    reply: changesOf,
  });
  return handler.execute({ ...execution, command: { ...execution.command, flightId, changes } as BookingCommand });
}
