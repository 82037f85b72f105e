import type { ChangeBookingRequest } from "@travel-booking/api-contract";
import {
  applySeatChange,
  type BookingEvent,
  type BookingState,
  bookingDecider,
  bookingOf,
  changesOf,
  type FlightEvent,
  type FlightState,
  finishSeatChange,
  flightDecider,
  hasAppliedSeatChange,
  isExistingBooking,
  type Rejection,
  type ReservedSeats,
  type ReserveSeatChange,
  reservedSeats,
  returnCredit,
  type SeatChangeReserved,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import {
  type CommandRequest,
  commandRequest,
  inTheNameOf,
  latestPosition,
  stepContext,
} from "../command-handling/command.ts";
import { creditGivenUpIn } from "../loyalty/loyalty-commands.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import { bookingBodyOf, ok, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { followFirst } from "./follow-first.ts";
import { explainMissingHold } from "./seat-holds.ts";

type Body = ChangeBookingRequest;

/** The step for the booking's decision. */
const DECISION_STEP = 1;

/** `PATCH /v1/bookings/{id}` */
export function changeBooking(services: CommandServices) {
  return async (request: ApiRequest<unknown, Body>): Promise<ApiResponse> =>
    change(services, commandRequest(request), request.params.id ?? "", request.body);
}

/**
 * Changes a booking. The flight first reserves the new seats beside the old ones. The booking then decides the whole
 * change at once. Finally the flight drops the old seats or, if the booking refused, the new ones.
 */
export async function change(
  services: CommandServices,
  command: CommandRequest,
  bookingId: string,
  body: Body,
): Promise<ApiResponse> {
  if (body.seats === undefined && body.holdId === undefined) return decide(services, command, bookingId, body, null);
  const reserved = await reserve(services, command, bookingId, body);
  if ("refusal" in reserved) return rejectionResponse(reserved.refusal);
  if (reserved.change === null) return decide(services, command, bookingId, body, null);
  services.reachedFaultPoint("change:reserved");
  return decide(services, command, bookingId, body, reserved.change);
}

async function decide(
  services: CommandServices,
  command: CommandRequest,
  bookingId: string,
  body: Body,
  reserved: ReservedSeats | null,
): Promise<ApiResponse> {
  const outcome = await services.handler.execute({
    ...bookingStream(bookingId),
    command: {
      type: "ChangeBooking",
      ...inTheNameOf(command),
      ...recordChanges(body),
      ...(reserved !== null && { seats: reserved }),
    },
    context: stepContext(command, DECISION_STEP),
    reply: (state, events) => ({
      body: bookingBodyOf(state),
      credit: creditGivenUpIn(events),
      // The booking may have decided a repeated command without these seats, if only a later seat change made the
      // repeat reserve them.
      taken: reserved !== null && hasAppliedSeatChange(state, reserved.changeId),
      isOwn: events.length > 0,
    }),
  });
  services.reachedFaultPoint("change:decided");
  let { position } = outcome;
  if (reserved !== null) {
    const change = { bookingId, flightId: reserved.flightId, changeId: reserved.changeId };
    const taken = outcome.accepted && outcome.reply.taken;
    const ended = taken
      ? await runFollowUp(services, applySeatChange(change), stepContext(command, 2))
      : await runFollowUp(services, finishSeatChange(change, outcome.accepted));
    position = latestPosition(position, ended?.position);
  }
  if (!outcome.accepted) return rejectionResponse(outcome.rejection, position);
  const { body: booking, credit, taken, isOwn } = outcome.reply;
  // An earlier request, whose reserved seats these are, has changed the booking to them meanwhile. What else is asked for is left.
  if (taken && !isOwn) return decide(services, command, bookingId, body, null);
  const returned = credit && (await runFollowUp(services, returnCredit(bookingId, credit)));
  return ok(booking, latestPosition(position, returned?.position));
}

async function reserve(
  services: CommandServices,
  command: CommandRequest,
  bookingId: string,
  body: Body,
): Promise<{ readonly refusal: Rejection } | { readonly change: ReservedSeats | null }> {
  const { accountId } = command.caller;
  const changeId = command.identity.commandId;
  // Preview first, because a booking that cannot change at all must refuse before the search for seats.
  const previewed = await services.handler.readState({
    ...bookingStream(bookingId),
    context: stepContext(command, DECISION_STEP),
    reply: (state, events) =>
      earlierDecision(state, events) ?? previewChange(state, accountId, changeId, body, services.clock.now()),
  });
  if ("refusal" in previewed || "change" in previewed) return previewed;
  if (previewed.unchanged && body.holdId === undefined) return { change: null };
  const { flightId } = previewed;
  const reserving: ReserveSeatChange = {
    type: "ReserveSeatChange",
    bookingId,
    accountId,
    changeId,
    seats: body.seats ?? [],
    holdId: body.holdId ?? null,
  };
  const tooDear = await rejectionAtQuotedPrice(services, command, flightId, body, reserving);
  if (tooDear !== undefined) return { refusal: tooDear };
  const reservation = await services.handler.execute({
    ...flightStream(flightId),
    command: reserving,
    context: stepContext(command, 0),
    replyBeforeDurable: true,
    reply: (flight, events) => {
      const seats = events.find(isReserved)?.data ?? openChange(flight, bookingId);
      return seats && { seats, changes: changesOf(flight) };
    },
  });
  if (!reservation.accepted)
    return { refusal: await explainMissingHold(services, command, body.holdId, reservation.rejection) };
  if (reservation.reply === undefined) return { change: null };
  const { seats: reserved, changes } = reservation.reply;
  await followFirst(services, command, { flightId, bookingId, changes });
  const { changeId: reservedAs, seats, surcharges } = reserved;
  const change = { flightId, changeId: reservedAs, seats, surcharges };
  if (reservedAs === changeId || !(await hasDecided(services, command, bookingId, reservedAs))) return { change };
  await runFollowUp(services, applySeatChange({ flightId, bookingId, changeId: reservedAs }));
  return { change: null };
}

/** The seats that an earlier request has left reserved on the flight. */
function openChange(flight: FlightState, bookingId: string): ReservedSeats | undefined {
  return flight.status === "scheduled" ? reservedSeats(flight, bookingId) : undefined;
}

/** Whether the booking has taken the seats that an earlier request reserved. */
function hasDecided(
  { handler }: CommandServices,
  { identity }: CommandRequest,
  bookingId: string,
  changeId: string,
): Promise<boolean> {
  return handler.readState({
    ...bookingStream(bookingId),
    attempt: identity,
    reply: (booking) => hasAppliedSeatChange(booking, changeId),
  });
}

/**
 * Why the booking would refuse the seats at their price; undefined if it would accept. Checked before the reservation,
 * because a reservation uses up the client's hold and blocks the seats for others. A refused change must do neither.
 */
async function rejectionAtQuotedPrice(
  { handler, clock }: CommandServices,
  command: CommandRequest,
  flightId: string,
  body: Body,
  reserving: ReserveSeatChange,
): Promise<Rejection | undefined> {
  const quoted = await handler.readState({
    ...flightStream(flightId),
    attempt: command.identity,
    reply: (flight) => flightDecider.decide(reserving, flight, clock.now()).events.find(isReserved)?.data,
  });
  if (quoted === undefined) return undefined;
  const { bookingId, changeId, seats, surcharges } = quoted;
  return handler.readState({
    ...bookingStream(bookingId),
    attempt: command.identity,
    reply: (booking) =>
      bookingDecider.decide(
        {
          type: "ChangeBooking",
          accountId: command.caller.accountId,
          ...recordChanges(body),
          seats: { flightId, changeId, seats, surcharges },
        },
        booking,
        clock.now(),
      ).rejection,
  });
}

function isReserved(event: FlightEvent): event is SeatChangeReserved {
  return event.type === "SeatChangeReserved";
}

/** The decision of an earlier attempt at the same request. It stays valid after later changes of the booking. */
function earlierDecision(
  state: BookingState,
  events: readonly BookingEvent[],
): { readonly change: ReservedSeats | null } | undefined {
  const changed = events.find((event) => event.type === "BookingChanged");
  if (changed === undefined || !isExistingBooking(state)) return undefined;
  const { changeId, seats, surcharges } = changed.data;
  if (changeId === null || seats === undefined || surcharges === undefined) return { change: null };
  return { change: { flightId: state.flightId, changeId, seats, surcharges } };
}

type ChangePreview = { readonly refusal: Rejection } | { readonly unchanged: boolean; readonly flightId: string };

/** The booking's answer to this change if the new seats cost as much as its present ones. */
function previewChange(
  state: BookingState,
  accountId: string,
  changeId: string,
  body: Body,
  at: number,
): ChangePreview {
  const booking = bookingOf(state, accountId);
  const change = {
    type: "ChangeBooking",
    accountId,
    ...(body.seats && {
      seats: { flightId: booking?.flightId ?? "", changeId, seats: body.seats, surcharges: booking?.surcharges ?? [] },
    }),
  } as const;
  const { rejection } = bookingDecider.decide({ ...change, ...recordChanges(body) }, state, at);
  if (rejection !== undefined || booking === undefined) return { refusal: rejection ?? { code: "booking_not_found" } };
  const { events } = bookingDecider.decide(change, state, at);
  return { unchanged: events.length === 0, flightId: booking.flightId };
}

/** The part of a change that concerns only the booking. */
function recordChanges({ reference, passengers, metadata }: Body) {
  return {
    ...(reference !== undefined && { reference }),
    ...(passengers !== undefined && { passengers }),
    ...(metadata !== undefined && { metadata: Object.entries(metadata) }),
  };
}
