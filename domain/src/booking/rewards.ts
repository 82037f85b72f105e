import { pointsFor } from "../loyalty/rules.ts";
import { accept, type Instant, reject } from "../shared/decision.ts";
import { hasDeparted } from "../shared/time.ts";
import type { AddReward, ApplyCredit, BookingDecision, CloseRedemption, UpgradeCabin } from "./commands.ts";
import type { BookingEvent } from "./events.ts";
import { refundableAmount } from "./payment.ts";
import { confirmationIfFree, repriced } from "./rules.ts";
import {
  type BookingState,
  bookingOf,
  type ConfirmedBooking,
  type ExistingBooking,
  findReward,
  hasPendingPayment,
  isExistingBooking,
  type PendingBooking,
  paymentOf,
  paymentsOf,
  refundsOf,
} from "./state.ts";

/** What every reward asks of a booking first. The same redemption again changes nothing. */
function guardReward(
  command: { readonly accountId: string; readonly redemptionId: string },
  state: BookingState,
  at: Instant,
  give: (booking: PendingBooking | ConfirmedBooking) => BookingDecision,
): BookingDecision {
  const booking = bookingOf(state, command.accountId);
  if (booking === undefined) return reject("booking_not_found");
  if (findReward(booking, command.redemptionId) !== undefined) return accept();
  if (booking.redemptionsClosed.includes(command.redemptionId)) return reject("redemption_closed");
  if (booking.status === "cancelled") return reject("booking_cancelled");
  if (hasDeparted(booking.departsAt, at)) return reject("flight_departed");
  return give(booking);
}

/** Lowers what is to pay, to zero at most; a booking with nothing left to pay is confirmed. Not under a payment. */
export function applyCredit(command: ApplyCredit, state: BookingState, at: Instant): BookingDecision {
  return guardReward(command, state, at, (booking) => {
    if (booking.status === "confirmed") return reject("already_paid");
    if (hasPendingPayment(booking)) return reject("payment_pending");
    const { redemptionId } = command;
    const amount = Math.min(command.amount, booking.totalAmount);
    const totalAmount = booking.totalAmount - amount;
    return accept<BookingEvent>(
      { type: "CreditApplied", at, data: { redemptionId, amount, totalAmount } },
      ...confirmationIfFree(booking.bookingId, totalAmount, at),
    );
  });
}

/**
 * Takes over places in a higher cabin, at no charge; the old seats are given up, and while nothing is paid what they
 * would have cost with them.
 */
export function upgradeCabin(command: UpgradeCabin, state: BookingState, at: Instant): BookingDecision {
  return guardReward(command, state, at, (booking) => {
    const { redemptionId, cabin } = command;
    if (booking.changesClosed.includes(redemptionId)) return reject("redemption_closed");
    const data = { redemptionId, cabin };
    if (booking.status === "confirmed") return accept({ type: "CabinUpgraded", at, data });
    const price = repriced(booking, []);
    if (price === undefined) return reject("payment_pending");
    return accept<BookingEvent>(
      { type: "CabinUpgraded", at, data: { ...data, ...price } },
      ...confirmationIfFree(booking.bookingId, price.totalAmount ?? booking.totalAmount, at),
    );
  });
}

/** Something extra that is in the booking's records. */
export function addReward(command: AddReward, state: BookingState, at: Instant): BookingDecision {
  const { redemptionId, reward } = command;
  return guardReward(command, state, at, () => accept({ type: "RewardAdded", at, data: { redemptionId, reward } }));
}

/** Settles what became of a redemption for good: given before (`findReward`), or never to be. */
export function closeRedemption({ redemptionId }: CloseRedemption, state: BookingState, at: Instant): BookingDecision {
  if (!isExistingBooking(state)) return reject("booking_not_found");
  if (findReward(state, redemptionId) !== undefined || state.redemptionsClosed.includes(redemptionId)) return accept();
  return accept({ type: "RedemptionClosed", at, data: { redemptionId } });
}

/** Cents paid and not given back; refunds under way count as given back. */
export function netAmountPaid(state: BookingState): number {
  return paymentsOf(state).reduce((sum, payment) => sum + refundableAmount(payment), 0);
}

/** The refunds that concern points already earned. */
export function refundsAfterDeparture(booking: ExistingBooking): readonly string[] {
  return refundsOf(booking)
    .filter(({ createdAt }) => hasDeparted(booking.departsAt, createdAt))
    .map(({ refundId }) => refundId);
}

/**
 * The same events, with what they do to the booking's points. Before departure the last of those that move money says
 * how many are pending after them all; from departure on a refund is marked as to be reckoned with what was earned.
 */
export function withPointChanges(
  state: BookingState,
  events: readonly BookingEvent[],
  at: Instant,
): readonly BookingEvent[] {
  const last = events.findLastIndex(isMoneyMovement);
  if (last < 0 || !isExistingBooking(state)) return events;
  if (hasDeparted(state.departsAt, at)) {
    return events.map((event) =>
      event.type === "RefundStarted" ? { ...event, data: { ...event.data, departed: true } } : event,
    );
  }
  const { accountId, pendingPoints: from } = state;
  const to = pointsFor(events.reduce((kept, event) => kept + paidAmountDelta(state, event), netAmountPaid(state)));
  const event = events[last];
  if (from === to || event === undefined || !isMoneyMovement(event)) return events;
  return events.with(last, { ...event, data: { ...event.data, pending: { accountId, from, to } } } as MoneyMovement);
}

/** Cents the account has paid with this event; what it was given back is negative. */
function paidAmountDelta(booking: ExistingBooking, event: BookingEvent): number {
  if (event.type === "RefundStarted") return -event.data.amount;
  return event.type === "PaymentSucceeded" ? paymentOf(booking, event.data.paymentId).amount : 0;
}

/** From departure on: fixes what the booking earns, once. Time in a stream never goes back, so no refund is before it. */
export function recordDeparture(state: BookingState, at: Instant): BookingDecision {
  if (!isExistingBooking(state)) return reject("booking_not_found");
  if (state.flown || !hasDeparted(state.departsAt, at)) return accept();
  const { accountId, pendingPoints: pending } = state;
  return accept({ type: "BookingFlown", at, data: { accountId, amount: netAmountPaid(state), pending } });
}

type MoneyMovement = Extract<BookingEvent, { readonly type: "PaymentSucceeded" | "RefundStarted" }>;

function isMoneyMovement(event: BookingEvent): event is MoneyMovement {
  return event.type === "PaymentSucceeded" || event.type === "RefundStarted";
}
