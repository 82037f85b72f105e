import {
  type AutomaticChange,
  automaticChange,
  type BookingPassenger,
  type BookingState,
  bookingDecider,
  flightDecider,
  hasAppliedSeatChange,
  NO_SEAT_PREFERENCES,
  type PassengerSeatPreferences,
} from "@travel-booking/domain";
import { realTime } from "@travel-booking/runtime/real-time";
import { latestPosition } from "../command-handling/latest-position.ts";
import { findProfileByEmail } from "../passengers/profile-by-email.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { applySeatChange, finishSeatChange } from "./finish-seat-change.ts";
import { systemContext } from "./system-context.ts";

/** Somebody changes the seats at the same moment: how often and how long it is waited for; real time. */
const MAX_ATTEMPTS = 6;
const INITIAL_BACKOFF_MS = 20;

/** What came of it; everything it rests on is at or before `position`. */
export interface SeatAssignment {
  /** False: another change of seats is under way, and this is to be tried again. */
  readonly done: boolean;
  readonly position: bigint;
}

interface SeatlessBooking {
  readonly accountId: string;
  readonly flightId: string;
  readonly passengers: readonly BookingPassenger[];
}

/**
 * Makes sure that a confirmed booking has seats. The flight chooses and reserves them, the booking takes them over, then
 * the flight keeps or drops them: the steps of a change of seats, and left undone they are finished as one
 * (`finish_seat_change`). Any other booking is left alone. Harmless to repeat and to do twice at once: whoever finds
 * automatic seats reserved goes on with those.
 */
export async function assignSeats(services: CommandServices, bookingId: string): Promise<SeatAssignment> {
  const { pause } = services.realTime ?? realTime;
  for (let attempt = 1; ; attempt += 1) {
    const assignment = await attemptToAssign(services, bookingId);
    if (assignment.done || attempt === MAX_ATTEMPTS) return assignment;
    await pause(INITIAL_BACKOFF_MS * 2 ** attempt);
  }
}

/** Somebody is at the seats of a booking: what is owed to it is tried again. */
export class SeatChangeInProgress extends Error {
  override readonly name = "SeatsBeingChanged";

  constructor(bookingId: string) {
    super(`the seats of booking ${bookingId} are being changed`);
  }
}

/** Does it as an task. @throws SeatsBeingChanged it can't be done at this moment. */
export async function assignSeatsDueTask(services: CommandServices, bookingId: string): Promise<bigint> {
  const { done, position } = await assignSeats(services, bookingId);
  if (!done) throw new SeatChangeInProgress(bookingId);
  return position;
}

async function attemptToAssign(services: CommandServices, bookingId: string): Promise<SeatAssignment> {
  const { handler } = services;
  // Records what has lapsed and nothing else; answers where in the log the booking stands.
  const looked = await handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "ExpireBooking" },
    context: systemContext(services),
    reply: seatlessBooking,
  });
  if (!looked.accepted || looked.reply === undefined) return { done: true, position: looked.position };
  const { flightId } = looked.reply;
  const context = systemContext(services);
  const reserved = await handler.execute({
    stream: flightStream(flightId),
    decider: flightDecider,
    command: {
      type: "AssignSeats",
      bookingId,
      changeId: context.commandId,
      preferences: await seatPreferencesOf(services, looked.reply),
    },
    context,
    reply: (flight) => (flight.status === "scheduled" ? automaticChange(flight, bookingId) : undefined),
  });
  const position = latestPosition(looked.position, reserved.position);
  // Given back meanwhile: the booking is cancelled.
  if (!reserved.accepted) return { done: reserved.rejection.code === "allocation_released", position };
  if (reserved.reply === undefined) return { done: false, position };
  services.reachedFaultPoint("seats:reserved");
  return takeOver(services, flightId, bookingId, reserved.reply);
}

async function takeOver(
  services: CommandServices,
  flightId: string,
  bookingId: string,
  change: AutomaticChange,
): Promise<SeatAssignment> {
  const { changeId } = change;
  const decided = await services.handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "AssignSeatsToBooking", ...change },
    context: systemContext(services),
    reply: (state) => hasAppliedSeatChange(state, changeId),
  });
  services.reachedFaultPoint("seats:decided");
  const taken = decided.accepted && decided.reply;
  const ended = taken
    ? await applySeatChange(services, systemContext(services), flightId, bookingId, changeId)
    : await finishSeatChange(services, flightId, bookingId, changeId);
  return { done: taken, position: latestPosition(decided.position, ended) };
}

function seatlessBooking(state: BookingState): SeatlessBooking | undefined {
  if (state.status !== "confirmed" || state.seats.length > 0) return undefined;
  const { accountId, flightId, passengers } = state;
  return { accountId, flightId, passengers };
}

/** What each passenger's saved profile says, found by e-mail address; nothing where there is none. */
function seatPreferencesOf(
  { handler }: CommandServices,
  { accountId, passengers }: SeatlessBooking,
): Promise<readonly PassengerSeatPreferences[]> {
  return Promise.all(
    passengers.map(async ({ email }) => {
      const profile = await findProfileByEmail(handler, accountId, email);
      return profile === undefined
        ? NO_SEAT_PREFERENCES
        : { seat: profile.preferences.seat, cryosleep: profile.preferences.cryosleep };
    }),
  );
}
