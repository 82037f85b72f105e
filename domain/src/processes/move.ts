import { bookingDecider } from "../booking/decider.ts";
import type { BookingEvent } from "../booking/events.ts";
import { awaitedMove, type MovingBooking, movingBooking } from "../booking/move-booking.ts";
import { type BookingState, placesLeftBy } from "../booking/state.ts";
import type { Mover } from "../flight/commands.ts";
import { flightDecider } from "../flight/decider.ts";
import { timesOf } from "../flight/disruption.ts";
import type { FlightState } from "../flight/state.ts";
import { moverFrom, placesFor } from "../flight/take-moves.ts";
import type { Instant } from "../shared/decision.ts";
import type { FlightChange } from "../shared/flight-change.ts";
import { dueTask, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { execute, faultPoint, readState, type Saga } from "./saga.ts";

/** Places that another flight has given a booking, until it has decided. */
export interface OpenMove {
  readonly flightId: string;
  readonly bookingId: string;
  readonly moveId: string;
}

const finishMoveTask = dueTask({
  kind: "finish_move",
  ofRequest: true,
  openedBy: {
    SeatsAllocated: ({ at, data: { bookingId, moveId } }, flightId) =>
      moveId === undefined ? undefined : { flightId, bookingId, moveId, dueAt: at + RECOVERY_GRACE },
  },
  closedBy: { AllocationReleased: ({ data }) => data.moveId ?? [] },
  key: ({ moveId }) => moveId,
  run: (move) => finishMove(move),
});

/**
 * Gives back the places that a booking does not need any more: those that it has left, or those that it has not taken. It is closed
 * against the move first, so that neither a slow nor a repeated request can take them afterwards. Idempotent.
 */
export function* finishMove({ flightId, bookingId, moveId }: OpenMove): Saga {
  const close = { type: "CloseSeatChange", changeId: moveId } as const;
  const { reply: left } = yield* execute("booking", bookingId, close, (booking) => placesLeftBy(booking, moveId));
  const release = { type: "ReleaseAllocation", bookingId, moveId } as const;
  yield* left === undefined
    ? execute("flight", flightId, { ...release, placedBy: moveId, undone: true })
    : execute("flight", left.flightId, { ...release, placedBy: left.placedBy });
}

/** A move was refused, or stands in the way of another, so this must be tried again. */
class MoveInProgress extends Error {
  override readonly name = "MoveInProgress";

  constructor(bookingId: string, code: string) {
    super(`booking ${bookingId} can't be moved now: ${code}`);
  }
}

/**
 * Moves a booking that its cancelled flight has left to others to the first of them with room for its party, or offers that. Where none
 * has, who would be moved gets the money back. Idempotent, even in parallel: the booking decides once, and places that another run has allocated are taken over.
 */
export function* moveIfAwaited(bookingId: string, changes: readonly FlightChange[]): Saga {
  const awaited = yield* readState("booking", bookingId, (booking) => {
    const found = awaitedMove(booking, changes);
    return found && { ...found, moving: movingBooking(booking, found.caseId) };
  });
  if (awaited?.moving === undefined) return;
  const { moving, policy, into } = awaited;
  const mover = yield* readState("flight", moving.flightId, (flight) => moverFrom(flight, moving));
  const take = policy === "offer" ? offer : moveTo;
  for (const flightId of into) if (yield* take(flightId, moving, mover)) return;
  if (policy === "offer") return;
  const { accountId, caseId, revision } = moving;
  yield* execute("booking", bookingId, { type: "AnswerCase", accountId, caseId, revision, answer: "refund" });
}

/** Tells the client of a flight with room, which is not kept. False: there is none. */
function* offer(
  flightId: string,
  { bookingId, accountId, caseId, revision }: MovingBooking,
  mover: Mover,
): Saga<boolean> {
  const asked = yield* execute(
    "flight",
    flightId,
    { type: "AllocateMove", ...mover, moveId: bookingId, seats: [], holdId: null, onlyAsked: true },
    (flight) => (flight.status === "scheduled" ? timesOf(flight.occupancy.plan) : undefined),
  );
  if (asked.reply === undefined) return false;
  const offered = { type: "OfferFlight", accountId, caseId, revision, flightId, ...asked.reply } as const;
  yield* execute("booking", bookingId, offered);
  return true;
}

/** False: there is no room. */
function* moveTo(flightId: string, moving: MovingBooking, mover: Mover): Saga<boolean> {
  const { bookingId, accountId, caseId, revision } = moving;
  const allocated = yield* execute(
    "flight",
    flightId,
    (moveId) => ({ type: "AllocateMove", ...mover, moveId, seats: [], holdId: null }),
    (flight) => placesFor(flight, bookingId),
  );
  if (!allocated.accepted) {
    if (allocated.rejection.code === "seat_change_open") throw new MoveInProgress(bookingId, allocated.rejection.code);
    return false;
  }
  const places = allocated.reply;
  if (places === undefined) throw new MoveInProgress(bookingId, "its places are gone");
  yield* faultPoint("move:allocated");
  const decided = yield* execute("booking", bookingId, { type: "MoveBooking", accountId, caseId, revision, ...places });
  yield* faultPoint("move:decided");
  yield* finishMove({ flightId, bookingId, moveId: places.moveId });
  yield* faultPoint("move:finished");
  if (!decided.accepted) throw new MoveInProgress(bookingId, decided.rejection.code);
  return true;
}

/**
 * What becomes of a booking that waits to be moved; undefined: it does not wait. `flightId` undefined: nobody has room. The other flights
 * are as after it, so that those who come later find less. Nothing is recorded.
 */
export function foreseeMove(
  booking: BookingState,
  changes: readonly FlightChange[],
  flight: FlightState,
  others: Map<string, FlightState>,
  at: Instant,
): { readonly flightId: string | undefined; readonly events: readonly BookingEvent[] } | undefined {
  const awaited = awaitedMove(booking, changes);
  const moving = awaited && movingBooking(booking, awaited.caseId);
  if (moving === undefined || awaited?.policy !== "move") return undefined;
  const { bookingId, accountId, caseId, revision } = moving;
  const mover = moverFrom(flight, moving);
  for (const [flightId, other] of others) {
    const asked = { type: "AllocateMove", ...mover, moveId: bookingId, seats: [], holdId: null } as const;
    const { events, rejection } = flightDecider.decide(asked, other, at);
    const after = events.reduce(flightDecider.evolve, other);
    others.set(flightId, after);
    const places = rejection === undefined ? placesFor(after, bookingId) : undefined;
    if (places === undefined) continue;
    const decided = bookingDecider.decide({ type: "MoveBooking", accountId, caseId, revision, ...places }, booking, at);
    return { flightId, events: decided.events };
  }
  const refund = { type: "AnswerCase", accountId, caseId, revision, answer: "refund" } as const;
  return { flightId: undefined, events: bookingDecider.decide(refund, booking, at).events };
}

export const move = {
  name: "move to another flight",
  steps: "other flight allocates, booking decides, one of the two flights releases",
  undoneBy: "booking is closed against the move, then the other flight releases",
  tasks: [finishMoveTask],
} as const satisfies ProcessDefinition;
