import { accept, reject } from "../shared/decision.ts";
import { CABINS } from "../shared/values.ts";
import { hasAppliedSeatChange, MAX_SEAT_CHANGES } from "./change-booking.ts";
import type { BookingHandlers } from "./commands.ts";
import type { BookingEvent, Journey } from "./events.ts";
import { refundOfLoss } from "./refunds.ts";
import { priceWith, sumOf } from "./rules.ts";
import { bookingOf, casesOf } from "./state.ts";

export const cabinHandlers = {
  /**
   * Takes the places in another cabin that the flight has reserved for a booking that has none in its own. A better one costs nothing;
   * of a lower one, which has to be sold in the same currency, the difference of the fares goes back. The same change again: a no-op.
   */
  TakeCabin({ accountId, caseId, revision, flightId, changeId, cabin, fare }, state, at) {
    const booking = bookingOf(state, accountId);
    const found = booking && casesOf(booking).find((each) => each.caseId === caseId);
    if (booking === undefined || found === undefined) return reject("disruption_not_found");
    if (hasAppliedSeatChange(booking, changeId)) return accept();
    if (booking.changesClosed.includes(changeId) || booking.flightId !== flightId) return reject("change_closed");
    if (found.status === "resolved") return reject("disruption_resolved");
    if (revision !== found.revision) return reject("disruption_superseded", { revision: found.revision });
    if (booking.unplaced !== true) return reject("nothing_to_accept");
    if (booking.changesApplied.length + booking.changesClosed.length >= MAX_SEAT_CHANGES)
      return reject("too_many_seat_changes", { most: MAX_SEAT_CHANGES });
    const isLower = CABINS.indexOf(cabin) < CABINS.indexOf(booking.cabin);
    if (isLower && fare.currency !== booking.currency) return reject("nothing_to_accept");
    const fareAmount = isLower ? Math.min(booking.fareAmount, fare.amount) : booking.fareAmount;
    const price = priceWith({ ...booking, fareAmount }, [], `${caseId}/cabin`);
    const amount = booking.totalAmount - (price.totalAmount ?? booking.totalAmount);
    const refunds = refundOfLoss(booking, { amount, ownDigits: caseId, reason: "other" }, at);
    const refundAmount = found.refundAmount + sumOf(refunds.map(({ data }) => data.amount));
    const { departsAt, durationDays } = found.after ?? found.before;
    const after: Journey = { flightId, departsAt, durationDays, cabin, seats: [] };
    return accept<BookingEvent>(
      { type: "CaseResolved", at, data: { caseId, outcome: "accepted", refundAmount, after } },
      { type: "CabinChanged", at, data: { changeId, cabin, fareAmount, ...price } },
      ...refunds,
    );
  },
} satisfies Partial<BookingHandlers>;
