import { accept, type Instant, reject } from "../shared/decision.ts";
import type { DisruptionPolicy, FlightChange } from "../shared/flight-change.ts";
import { OUTCOMES, respondByOf } from "./answer-case.ts";
import { caseEvent } from "./cases.ts";
import { MAX_SEAT_CHANGES } from "./change-booking.ts";
import type { BookingHandlers, MoveBooking } from "./commands.ts";
import { documentsJudgedAnew } from "./documents.ts";
import type { BookingEvent, Journey } from "./events.ts";
import { refundOfLoss } from "./refunds.ts";
import { priceWith, refundReasonOf, sumOf } from "./rules.ts";
import {
  type BookingState,
  bookingOf,
  casesOf,
  type DisruptionCase,
  type ExistingBooking,
  isExistingBooking,
  openCase,
} from "./state.ts";

export const moveHandlers = {
  /** A no-op where the client has something to answer to by now. */
  OfferFlight({ accountId, caseId, revision, flightId, departsAt, durationDays }, state, at) {
    const booking = bookingOf(state, accountId);
    const open = booking && openCase(booking);
    if (booking === undefined || open?.caseId !== caseId || open.revision !== revision || open.after !== null)
      return accept();
    const after: Journey = { flightId, departsAt, durationDays, cabin: booking.cabin, seats: [] };
    const answerUntil = { respondBy: respondByOf(at, departsAt), onSilence: "refund" } as const;
    return accept(caseEvent(booking, { ...told(booking, open), after, ...answerUntil }, at));
  },

  /** Moves to a flight that has allocated places, once, while the case is open at that revision. The same move again: a no-op. */
  MoveBooking(command, state, at) {
    const { accountId, caseId, revision, moveId, cabin, answer } = command;
    const booking = bookingOf(state, accountId);
    const found = booking && casesOf(booking).find((each) => each.caseId === caseId);
    if (booking === undefined || found === undefined) return reject("disruption_not_found");
    // The carrier may have moved it by places that the client has asked for, and the other way round.
    const isAnswered = answer === undefined || found.outcome === OUTCOMES[answer];
    if (booking.moves?.at(-1)?.moveId === moveId && isAnswered) return accept();
    if (found.status === "resolved") return reject("disruption_resolved");
    if (revision !== found.revision) return reject("disruption_superseded", { revision: found.revision });
    // One that was applied before the last has left these places since.
    if ([...booking.changesClosed, ...booking.changesApplied].includes(moveId)) return reject("change_closed");
    if (booking.cabin !== cabin) return reject("cabin_left", { cabin });
    // What the carrier does is never refused for want of room.
    if (answer !== undefined && booking.changesApplied.length + booking.changesClosed.length >= MAX_SEAT_CHANGES)
      return reject("too_many_seat_changes", { most: MAX_SEAT_CHANGES });
    return accept(...movedEvents(booking, found, command, at));
  },
} satisfies Partial<BookingHandlers>;

/** What a move needs to know of a booking. */
export interface MovingBooking
  extends Pick<ExistingBooking, "bookingId" | "accountId" | "flightId" | "cabin" | "seats" | "currency"> {
  readonly passengers: number;
  readonly caseId: string;
  readonly revision: number;
  readonly agreed: Instant;
  /** Cents for its seats. */
  readonly paid: number;
}

/** Undefined: the booking has no such case. */
export function movingBooking(state: BookingState, caseId: string): MovingBooking | undefined {
  const found = casesOf(state).find((each) => each.caseId === caseId);
  if (found === undefined || !isExistingBooking(state)) return undefined;
  const { bookingId, accountId, flightId, cabin, seats, currency, passengers, surcharges } = state;
  const { revision, before } = found;
  const [agreed, paid] = [before.departsAt, sumOf(surcharges)];
  const facts = { bookingId, accountId, flightId, cabin, seats: [...seats], currency, passengers: passengers.length };
  return { ...facts, caseId, revision, agreed, paid };
}

/** A booking that waits to be moved, or for an offer, and the flights for that. */
export interface AwaitedMove {
  readonly caseId: string;
  readonly policy: DisruptionPolicy;
  readonly into: readonly string[];
}

/** Undefined: the booking waits for no other flight. */
export function awaitedMove(state: BookingState, changes: readonly FlightChange[]): AwaitedMove | undefined {
  const open = openCase(state);
  if (open === undefined || open.kind !== "cancelled" || open.after !== null) return undefined;
  const cancellation = changes.findLast(({ disruptionId }) => disruptionId === open.disruptionId);
  if (cancellation?.kind !== "cancelled" || cancellation.into === undefined) return undefined;
  return { caseId: open.caseId, policy: cancellation.policy, into: cancellation.into };
}

/** What has become of the case comes first, then the move, and what follows from it. */
function movedEvents(
  booking: ExistingBooking,
  found: DisruptionCase,
  { caseId, moveId, flightId, flightRevision, departsAt, durationDays, seats, answer }: MoveBooking,
  at: Instant,
): readonly BookingEvent[] {
  const { cabin, totalAmount } = booking;
  const respondBy = respondByOf(at, departsAt);
  const after: Journey = { flightId, departsAt, durationDays, cabin, seats };
  // Who asks for another flight keeps what is paid for seats, and may choose others for it.
  const hasLostSeats = answer !== "rebook" && seats.length === 0 && booking.seats.length > 0;
  const price = hasLostSeats ? priceWith(booking, [], `${moveId}/moved`) : {};
  const amount = totalAmount - (price.totalAmount ?? totalAmount);
  const refunds = refundOfLoss(booking, { amount, ownDigits: moveId, reason: refundReasonOf(found) }, at);
  const lost = sumOf(refunds.map(({ data }) => data.amount));
  const revised = { after, respondBy, onSilence: "accept", ...(lost > 0 && { refundAmount: lost }) } as const;
  const refundAmount = found.refundAmount + lost;
  return [
    answer === undefined
      ? caseEvent(booking, { ...told(booking, found), ...revised }, at)
      : { type: "CaseResolved", at, data: { caseId, outcome: OUTCOMES[answer], refundAmount, after } },
    { type: "BookingMoved", at, data: { caseId, moveId, flightId, departsAt, seats, flightRevision, ...price } },
    ...documentsJudgedAnew(booking, departsAt, at),
    ...refunds,
  ];
}

/** What stays of a case that is revised. */
function told({ flightRevision = 0 }: ExistingBooking, found: DisruptionCase) {
  const { disruptionId, kind, reason, significant, before } = found;
  return { disruptionId, kind, reason, significant, before, flightRevision };
}
