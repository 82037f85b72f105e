import {
  type AutomaticChange,
  automaticChange,
  type BookingPassenger,
  type BookingState,
  bookingDecider,
  flightDecider,
  hasTakenOver,
  NO_WISH,
  type SeatWish,
} from "@travel-booking/domain";
import { realTime } from "@travel-booking/runtime/real-time";
import { latest } from "../handling/latest.ts";
import { findProfile } from "../passengers/profile-by-email.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { applySeatChange, finishSeatChange } from "./finish-seat-change.ts";
import { systemContext } from "./system-context.ts";

/** Somebody changes the seats at the same moment: how often and how long it is waited for; real time. */
const MOST_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 20;

/** What came of it; everything it rests on is at or before `position`. */
export interface Assignment {
  /** False: another change of seats is under way, and this is to be tried again. */
  readonly settled: boolean;
  readonly position: bigint;
}

interface Unseated {
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
export async function assignSeats(services: CommandServices, bookingId: string): Promise<Assignment> {
  const { pause } = services.realTime ?? realTime;
  for (let attempt = 1; ; attempt += 1) {
    const assignment = await attemptToAssign(services, bookingId);
    if (assignment.settled || attempt === MOST_ATTEMPTS) return assignment;
    await pause(FIRST_PAUSE_MS * 2 ** attempt);
  }
}

/** Somebody is at the seats of a booking: what is owed to it is tried again. */
export class SeatsBeingChanged extends Error {
  override readonly name = "SeatsBeingChanged";

  constructor(bookingId: string) {
    super(`the seats of booking ${bookingId} are being changed`);
  }
}

/** Does it as an obligation. @throws SeatsBeingChanged it can't be done at this moment. */
export async function assignSeatsOwed(services: CommandServices, bookingId: string): Promise<bigint> {
  const { settled, position } = await assignSeats(services, bookingId);
  if (!settled) throw new SeatsBeingChanged(bookingId);
  return position;
}

async function attemptToAssign(services: CommandServices, bookingId: string): Promise<Assignment> {
  const { handler } = services;
  // Records what has lapsed and nothing else; answers where in the log the booking stands.
  const looked = await handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "ExpireBooking" },
    context: systemContext(services),
    reply: unseated,
  });
  if (!looked.accepted || looked.reply === undefined) return { settled: true, position: looked.position };
  const { flightId } = looked.reply;
  const context = systemContext(services);
  const reserved = await handler.execute({
    stream: flightStream(flightId),
    decider: flightDecider,
    command: {
      type: "AssignSeats",
      bookingId,
      changeId: context.commandId,
      wishes: await wishesOf(services, looked.reply),
    },
    context,
    reply: (flight) => (flight.status === "scheduled" ? automaticChange(flight, bookingId) : undefined),
  });
  const position = latest(looked.position, reserved.position);
  // Given back meanwhile: the booking is cancelled.
  if (!reserved.accepted) return { settled: reserved.rejection.code === "allocation_released", position };
  if (reserved.reply === undefined) return { settled: false, position };
  services.reached("seats:reserved");
  return takeOver(services, flightId, bookingId, reserved.reply);
}

async function takeOver(
  services: CommandServices,
  flightId: string,
  bookingId: string,
  change: AutomaticChange,
): Promise<Assignment> {
  const { changeId } = change;
  const decided = await services.handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: { type: "AssignSeatsToBooking", ...change },
    context: systemContext(services),
    reply: (state) => hasTakenOver(state, changeId),
  });
  services.reached("seats:decided");
  const taken = decided.accepted && decided.reply;
  const ended = taken
    ? await applySeatChange(services, systemContext(services), flightId, bookingId, changeId)
    : await finishSeatChange(services, flightId, bookingId, changeId);
  return { settled: taken, position: latest(decided.position, ended) };
}

function unseated(state: BookingState): Unseated | undefined {
  if (state.status !== "confirmed" || state.seats.length > 0) return undefined;
  const { accountId, flightId, passengers } = state;
  return { accountId, flightId, passengers };
}

/** What each passenger's saved profile says, found by e-mail address; nothing where there is none. */
function wishesOf({ handler }: CommandServices, { accountId, passengers }: Unseated): Promise<readonly SeatWish[]> {
  return Promise.all(
    passengers.map(async ({ email }) => {
      const profile = await findProfile(handler, accountId, email);
      return profile === undefined
        ? NO_WISH
        : { seat: profile.preferences.seat, cryosleep: profile.preferences.cryosleep };
    }),
  );
}
