import type { Instant } from "../shared/decision.ts";
import type { FlightChange } from "../shared/flight-change.ts";
import type { BookingDisrupted, BookingEvent, CaseResolved } from "./events.ts";
import { caseIdOf } from "./ids.ts";
import { automaticRefund } from "./refunds.ts";
import { isUndelivered, releasedCredit } from "./rules.ts";
import { type BookingState, hasFollowed, isExistingBooking, pendingTransfers, refundableAmount } from "./state.ts";
import { failTransfer } from "./transfers.ts";

/**
 * What a change of its flight means for the booking: the case, then what follows from it. None if the booking has followed
 * already, or is over (docs/rules.md#cancelled-flights). Everything paid and not refunded goes back, whatever the time.
 */
export function followingEvents(state: BookingState, change: FlightChange, at: Instant): readonly BookingEvent[] {
  if (!isExistingBooking(state) || hasFollowed(state, change.revision)) return [];
  const { bookingId, flightId, departsAt, cabin, seats } = state;
  const { disruptionId, kind, reason, revision: flightRevision, durationDays } = change;
  const caseId = caseIdOf(bookingId, flightRevision);
  const before = { flightId, departsAt, durationDays, cabin, seats };
  const facts = { caseId, disruptionId, kind, reason, flightRevision, significant: true, before, after: null };
  const disrupted: BookingDisrupted = { type: "BookingDisrupted", at, data: facts };
  const refunds = state.payments
    .filter((payment) => refundableAmount(payment) > 0)
    .map((payment) => automaticRefund(payment, refundableAmount(payment), "flight_cancelled", at));
  const refundAmount = refunds.reduce((sum, { data }) => sum + data.amount, 0);
  const resolved: CaseResolved = { type: "CaseResolved", at, data: { caseId, outcome: "refunded", refundAmount } };
  return [
    disrupted,
    resolved,
    ...pendingTransfers(state).flatMap((payment) => failTransfer(state, payment, "booking_cancelled", at)),
    {
      type: "BookingCancelled",
      at,
      data: {
        bookingId,
        cause: "flight_cancelled",
        reason: null,
        ...releasedCredit(state),
        ...(state.rewards.some(isUndelivered) && { pointsBackTo: state.accountId }),
      },
    },
    ...refunds,
  ];
}
