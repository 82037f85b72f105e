import { accept, type Decision, type Instant, reject } from "../../shared/decision.ts";
import type { BookingEvent } from "../events.ts";
import type { BookingRejectionCode } from "../rejections.ts";
import { hasDeparted } from "../rules/departure-deadlines.ts";
import { type BookingState, bookingOf, type ConfirmedBooking, type PendingBooking } from "../state.ts";
import { findReward } from "./find-reward.ts";

type RewardDecision = Decision<BookingEvent, BookingRejectionCode>;

/** What every reward asks of a booking first. The same redemption again changes nothing. */
export function guardReward(
  command: { readonly accountId: string; readonly redemptionId: string },
  state: BookingState,
  at: Instant,
  give: (booking: PendingBooking | ConfirmedBooking) => RewardDecision,
): RewardDecision {
  const booking = bookingOf(state, command.accountId);
  if (booking === undefined) return reject("booking_not_found");
  if (findReward(booking, command.redemptionId) !== undefined) return accept();
  if (booking.redemptionsClosed.includes(command.redemptionId)) return reject("redemption_closed");
  if (booking.status === "cancelled") return reject("booking_cancelled");
  if (hasDeparted(booking.departsAt, at)) return reject("flight_departed");
  return give(booking);
}
