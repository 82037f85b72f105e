import { pointsFor } from "../../loyalty/points.ts";
import { accept, type Decision, type Instant, reject } from "../../shared/decision.ts";
import type { BookingEvent } from "../events.ts";
import { paymentOf, paymentsOf, refundsOf } from "../lookups.ts";
import { amountRefunded, refundableAmount } from "../payment.ts";
import type { BookingRejectionCode } from "../rejections.ts";
import { hasDeparted } from "../rules/departure-deadlines.ts";
import { type BookingState, type ExistingBooking, isExistingBooking } from "../state.ts";
import type { BookingFlown, PendingPoints } from "./events.ts";

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
  const pending: PendingPoints = { accountId, from, to };
  return events.with(last, withPending(event, pending));
}

function withPending(event: MoneyMovement, pending: PendingPoints): MoneyMovement {
  return event.type === "PaymentSucceeded"
    ? { ...event, data: { ...event.data, pending } }
    : { ...event, data: { ...event.data, pending } };
}

/** Cents the account has paid with this event; what it was given back is negative. */
function paidAmountDelta(booking: ExistingBooking, event: BookingEvent): number {
  if (event.type === "RefundStarted") return -event.data.amount;
  return event.type === "PaymentSucceeded" ? paymentOf(booking, event.data.paymentId).amount : 0;
}

/** From departure on: fixes what the booking earns, once. Time in a stream never goes back, so no refund is before it. */
export function recordDeparture(state: BookingState, at: Instant): Decision<BookingFlown, BookingRejectionCode> {
  if (!isExistingBooking(state)) return reject("booking_not_found");
  if (state.flown || !hasDeparted(state.departsAt, at)) return accept();
  const { accountId, pendingPoints: pending } = state;
  return accept<BookingFlown>({ type: "BookingFlown", at, data: { accountId, amount: netAmountPaid(state), pending } });
}

/** Whether an account keeps anything of what it paid. */
export function hasUnrefundedPayment({ payments }: ExistingBooking): boolean {
  return payments.some((payment) => payment.status === "succeeded" && payment.amount > amountRefunded(payment));
}

type MoneyMovement = Extract<BookingEvent, { readonly type: "PaymentSucceeded" | "RefundStarted" }>;

function isMoneyMovement(event: BookingEvent): event is MoneyMovement {
  return event.type === "PaymentSucceeded" || event.type === "RefundStarted";
}
