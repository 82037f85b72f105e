import {
  bookingsNotKnownPaid,
  type Cabin,
  type FlightCommand,
  type FlightEvent,
  type FlightRejectionCode,
  type FlightState,
  flightDecider,
  isPaid,
  type Rejection,
} from "@travel-booking/domain";
import {
  type CommandContext,
  type CommandExecution,
  type CommandOutcome,
  systemContext,
} from "../command-handling/command.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";

type TakingSeats = Extract<FlightCommand, { readonly accountId: string; readonly unpaidSeatsPercent?: number }>;

/**
 * Executes a command for a flight within the quota of unpaid seats (docs/rules.md#unpaid-seats). The flight does not
 * know which bookings are paid. If the quota refuses, the streams of bookings are read, paid ones are recorded on the
 * flight, and the command is executed once more.
 */
export async function takeSeats<Reply>(
  services: CommandServices,
  execution: CommandExecution<TakingSeats, FlightState, FlightEvent, FlightRejectionCode, Reply>,
): Promise<CommandOutcome<Reply, FlightRejectionCode>> {
  const outcome = await services.handler.execute(execution);
  if (outcome.accepted) return outcome;
  const { stream, command, context } = execution;
  const learnt = await recordPaidSeats(services, { stream, command, attempt: context.attempt }, outcome.rejection);
  return learnt ? services.handler.execute(execution) : outcome;
}

/** Why `takeSeats` would be refused now; undefined if it would be accepted. */
export async function previewSeats(services: CommandServices, taking: Taking): Promise<Rejection | undefined> {
  const { handler, clock } = services;
  const { stream, command, attempt } = taking;
  const preview = () =>
    handler.readState({
      stream,
      decider: flightDecider,
      attempt,
      reply: (flight) => flightDecider.decide(command, flight, clock.now()).rejection,
    });
  const refusal = await preview();
  return refusal !== undefined && (await recordPaidSeats(services, taking, refusal)) ? preview() : refusal;
}

interface Taking {
  readonly stream: string;
  readonly command: TakingSeats;
  readonly attempt: CommandContext["attempt"];
}

/**
 * If the quota refuses: records on the flight which of the account's bookings in the cabin are paid. Returns true if
 * the flight did not know one of them.
 */
async function recordPaidSeats(
  services: CommandServices,
  { stream, command, attempt }: Taking,
  { code, facts }: Rejection,
): Promise<boolean> {
  if (code !== "quota_exceeded") return false;
  const { handler, reachedFaultPoint } = services;
  const owner = { accountId: command.accountId, cabin: facts?.cabin as Cabin };
  const unknown = await handler.readState({
    stream,
    decider: flightDecider,
    attempt,
    reply: (flight) => (flight.status === "scheduled" ? bookingsNotKnownPaid(flight, owner) : []),
  });
  const paid = await Promise.all(unknown.map((bookingId) => readIsPaid(services, bookingId, attempt)));
  const bookingIds = unknown.filter((_, index) => paid[index]);
  if (bookingIds.length === 0) return false;
  await handler.execute({
    stream,
    decider: flightDecider,
    command: { type: "RecordPaidSeats", bookingIds },
    context: systemContext(services, attempt),
    replyBeforeDurable: true,
    reply: () => undefined,
  });
  reachedFaultPoint("unpaid-seats:recorded");
  return true;
}

function readIsPaid(
  { handler }: CommandServices,
  bookingId: string,
  attempt: CommandContext["attempt"],
): Promise<boolean> {
  return handler.readState({ ...bookingStream(bookingId), attempt, reply: (booking) => isPaid(booking) });
}
