import { pointsFor } from "../loyalty/rules.ts";
import { accept, type Instant, reject } from "../shared/decision.ts";
import { hasDeparted } from "../shared/time.ts";
import { placedEvents } from "./cases.ts";
import type { BookingDecision, BookingHandlers } from "./commands.ts";
import type { BookingEvent } from "./events.ts";
import { reversalIdOf } from "./ids.ts";
import { cancelledCode, confirmationIfFree, hasBookingDeparted, repriced } from "./rules.ts";
import {
  type BookingState,
  bookingOf,
  type ConfirmedBooking,
  type ExistingBooking,
  findReward,
  hasPaid,
  hasPendingPayment,
  isExistingBooking,
  netAmountPaid,
  type PendingBooking,
  paymentOf,
  refundableAmount,
  refundsOf,
} from "./state.ts";

/** Limit of a booking's redemptions, granted and closed ones, because the id of each is kept for ever. */
const MAX_REDEMPTIONS = 100;

/** Checks common to all rewards. The same redemption again: a no-op. */
function guardReward(
  command: { readonly accountId: string; readonly redemptionId: string; readonly currency?: string },
  state: BookingState,
  at: Instant,
  give: (booking: PendingBooking | ConfirmedBooking) => BookingDecision,
): BookingDecision {
  const booking = bookingOf(state, command.accountId);
  if (booking === undefined) return reject("booking_not_found");
  if (findReward(booking, command.redemptionId) !== undefined) return accept();
  if (booking.redemptionsClosed.includes(command.redemptionId)) return reject("redemption_closed");
  const { currency = booking.currency } = command;
  if (currency !== booking.currency)
    return reject("credit_currency_mismatch", { credit: currency, booking: booking.currency });
  if (booking.status === "cancelled") return reject(cancelledCode(booking));
  if (booking.flightCancelled === true) return reject("flight_cancelled");
  if (hasDeparted(booking.departsAt, at)) return reject("flight_departed");
  if (booking.rewards.length + booking.redemptionsClosed.length >= MAX_REDEMPTIONS)
    return reject("too_many_redemptions", { most: MAX_REDEMPTIONS });
  return give(booking);
}

export const rewardHandlers = {
  /** Reduces the total, to zero at most, which confirms the booking. Rejected while a payment is pending. */
  ApplyCredit(command, state, at) {
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
  },

  /**
   * Moves the booking to a higher cabin, free of charge. It gives up its seats and, while nothing is paid, their
   * surcharges.
   */
  UpgradeCabin(command, state, at) {
    return guardReward(command, state, at, (booking) => {
      const { redemptionId, cabin, flightId } = command;
      if (booking.changesClosed.includes(redemptionId) || flightId !== booking.flightId)
        return reject("redemption_closed");
      const data = { redemptionId, cabin };
      if (booking.status === "confirmed")
        return accept<BookingEvent>(...placedEvents(booking, at), { type: "CabinUpgraded", at, data });
      const price = repriced(booking, []);
      if (price === undefined) return reject("payment_pending");
      return accept<BookingEvent>(
        { type: "CabinUpgraded", at, data: { ...data, ...price } },
        ...confirmationIfFree(booking.bookingId, price.totalAmount ?? booking.totalAmount, at),
      );
    });
  },

  /** Grants baggage or lounge access, which is only recorded on the booking. */
  AddReward(command, state, at) {
    const { redemptionId, reward } = command;
    return guardReward(command, state, at, () => accept({ type: "RewardAdded", at, data: { redemptionId, reward } }));
  },

  /** Closes a redemption against a late reward, unless the reward was granted before (`findReward`). */
  CloseRedemption({ redemptionId }, state, at) {
    if (!isExistingBooking(state)) return reject("booking_not_found");
    if (findReward(state, redemptionId) !== undefined || state.redemptionsClosed.includes(redemptionId))
      return accept();
    return accept({ type: "RedemptionClosed", at, data: { redemptionId } });
  },

  /** Fixes what the booking earns, once, from departure on. No refund is missed: time in a stream never goes back. */
  RecordDeparture(_, state, at) {
    if (!isExistingBooking(state)) return reject("booking_not_found");
    if (state.flown || !hasBookingDeparted(state, at)) return accept();
    const { accountId, pendingPoints: pending } = state;
    return accept({ type: "BookingFlown", at, data: { accountId, amount: netAmountPaid(state), pending } });
  },
} satisfies Partial<BookingHandlers>;

/** Points for the amount that is paid and not refunded. */
export function pointsOf(booking: ExistingBooking): number {
  return pointsFor(netAmountPaid(booking), booking.pointsRate);
}

/**
 * Refunds, and reversed transfers, that may reverse earned points. Former releases marked a refund after any departure that the
 * booking had by then, so one that its flight was retimed after counts, too.
 */
export function refundsAfterDeparture(booking: ExistingBooking): readonly string[] {
  const { departsAt, formerDepartures = [] } = booking;
  const first = Math.min(departsAt, ...formerDepartures);
  const refunds = refundsOf(booking).filter(({ createdAt }) => hasDeparted(first, createdAt));
  const reversed = booking.payments.flatMap((payment) => payment.reversed ?? []).filter(({ departed }) => departed);
  return [
    ...refunds.map(({ refundId }) => refundId),
    ...reversed.map(({ entryId, reversals }) => reversalIdOf(entryId, reversals)),
  ];
}

/**
 * Adds the effect on points to events that move money. Until the booking has flown the last event carries the pending points
 * before and after. From then on a refund, or a reversed transfer, is marked, because it reverses earned points. That its time of departure
 * is past says nothing: its flight may have been retimed, and the booking not have followed.
 */
export function withPointChanges(state: BookingState, events: readonly BookingEvent[]): readonly BookingEvent[] {
  const last = events.findLastIndex(isMoneyMovement);
  if (last < 0 || !isExistingBooking(state)) return events;
  if (state.flown) {
    return events.map((event) =>
      event.type !== "PaymentSucceeded" && isMoneyMovement(event) && paidAmountDelta(state, event) < 0
        ? ({ ...event, data: { ...event.data, departed: true } } as MoneyMovement)
        : event,
    );
  }
  const { accountId, pendingPoints: from, pointsRate } = state;
  const paid = events.reduce((sum, event) => sum + paidAmountDelta(state, event), netAmountPaid(state));
  const to = pointsFor(paid, pointsRate);
  const event = events[last];
  if (from === to || event === undefined || !isMoneyMovement(event)) return events;
  return events.with(last, { ...event, data: { ...event.data, pending: { accountId, from, to } } } as MoneyMovement);
}

/** Cents paid with this event; refunds are negative. */
function paidAmountDelta(booking: ExistingBooking, event: BookingEvent): number {
  switch (event.type) {
    case "RefundStarted":
      return -event.data.amount;
    case "PaymentSucceeded":
      return paymentOf(booking, event.data.paymentId).amount;
    case "TransferReversed": {
      // Nothing of a payment is left without an entry that has paid it.
      const payment = paymentOf(booking, event.data.paymentId);
      return hasPaid(payment, event.data.entryId) ? -refundableAmount(payment) : 0;
    }
    default:
      return 0;
  }
}

type MoneyMovement = Extract<
  BookingEvent,
  { readonly type: "PaymentSucceeded" | "RefundStarted" | "TransferReversed" }
>;

function isMoneyMovement(event: BookingEvent): event is MoneyMovement {
  return ["PaymentSucceeded", "RefundStarted", "TransferReversed"].includes(event.type);
}
