import {
  amountOutstanding,
  amountRefunded,
  type BookingState,
  bankTransferOf,
  hasFollowed,
  isExistingBooking,
  type Payment,
  refundableAmount,
  type TransferReturn,
} from "./booking/state.ts";
import type { Occupant } from "./flight/occupancy.ts";
import { seatsOfParty } from "./flight/party.ts";
import type { ScheduledFlight } from "./flight/state.ts";
import type { LoyaltyState } from "./loyalty/state.ts";
import type { FlightChange } from "./shared/flight-change.ts";

/**
 * What can't be, whatever is under way: found in the folded streams of a log that may have been damaged, or written by a release with a
 * fault. Each in a line for people; none if all is well.
 */
type Findings = readonly string[];

/** No seat has two bookings, and no cabin more than its places. */
export function auditFlight({ occupancy }: ScheduledFlight): Findings {
  const found: string[] = [];
  const owners = new Map<string, string>();
  for (const [bookingId, occupant] of occupancy.occupants) {
    for (const seat of new Set(seatsOfParty(occupant))) {
      const other = owners.get(seat);
      if (other !== undefined) found.push(`seat ${seat} has ${other} and ${bookingId}`);
      owners.set(seat, bookingId);
    }
  }
  for (const [cabin, { committed, unblocked }] of occupancy.cabins) {
    if (committed > unblocked) found.push(`${cabin} has ${unblocked} places, and ${committed} passengers`);
  }
  return found;
}

/** What is confirmed is paid, once; nothing was paid back that was not paid, and each cent that arrived counts once. */
export function auditBooking(booking: BookingState): Findings {
  if (!isExistingBooking(booking)) return [];
  const { totalAmount, creditApplied, payments, returns, status, cases = [] } = booking;
  const found: string[] = [];
  if (totalAmount < 0 || creditApplied < 0) found.push(`it costs ${totalAmount} less ${creditApplied} of credit`);
  const succeeded = payments.filter((payment) => payment.status === "succeeded");
  // By a disruption the price falls after it was paid, where seats are lost that cost something.
  const isPaid = succeeded.some(({ amount }) => amount === totalAmount || (cases.length > 0 && amount > totalAmount));
  if (status === "confirmed" && totalAmount > 0 && !isPaid) {
    found.push(`it is confirmed, and nobody has paid its ${totalAmount}`);
  }
  const kept = succeeded.filter((payment) => refundableAmount(payment) > 0).map(({ paymentId }) => paymentId);
  if (kept.length > 1) found.push(`it was paid by each of ${kept.join(", ")}`);
  return [...found, ...payments.flatMap((payment) => auditPayment(payment, returns))];
}

function auditPayment(payment: Payment, returns: readonly TransferReturn[]): Findings {
  const { paymentId, amount, status, entries } = payment;
  const found: string[] = [];
  const refunded = amountRefunded(payment);
  if (refunded > (status === "succeeded" ? amount : 0))
    found.push(`${paymentId}: ${refunded} of ${amount} are refunded`);
  if (bankTransferOf(payment) !== undefined && status !== "failed") {
    const left = amountOutstanding(payment);
    if (left < 0 || (left === 0) !== (status === "succeeded")) {
      found.push(`${paymentId} is ${status}, and ${amount - left} of ${amount} count`);
    }
  }
  for (const entry of entries) {
    const back = returns.filter(({ entryId }) => entryId === entry.entryId).reduce((sum, each) => sum + each.amount, 0);
    const counts = status === "failed" ? 0 : entry.applied;
    if (counts + back !== entry.amount) {
      found.push(`${entry.entryId}: of ${entry.amount}, ${counts} count and ${back} go back`);
    }
  }
  return found;
}

/**
 * A booking that is not cancelled has its places on its flight, and those seats, unless they are being changed, or it has not followed
 * its flight to another ship yet.
 * @param occupant what the booking has on the flight it names.
 */
export function auditPlaces(
  booking: BookingState,
  occupant: Occupant | undefined,
  changes: readonly FlightChange[] = [],
): Findings {
  if (!isExistingBooking(booking) || booking.status === "cancelled") return [];
  const { flightId, cabin, seats, passengers } = booking;
  if (occupant === undefined) return [`it has no places on ${flightId}`];
  const has = `${occupant.passengers} ${occupant.cabin} ${occupant.seats}`;
  const is = `${passengers.length} ${cabin} ${seats}`;
  const isSettled = occupant.change === null && hasFollowed(booking, changes);
  return isSettled && has !== is ? [`it is ${is}, and on ${flightId} ${has}`] : [];
}

/** The balance is what the lots hold, and no credit is owed. */
export function auditLoyalty({ balance, lots, redemptions, debt, credit }: LoyaltyState): Findings {
  const aside = [...redemptions.values()].filter(({ status }) => status === "set_aside");
  const held = lots.left + aside.reduce((sum, { points }) => sum + points, 0) - debt;
  return [
    ...(held === balance ? [] : [`its balance is ${balance}, and its points are ${held}`]),
    ...(credit < 0 ? [`its credit is ${credit}`] : []),
  ];
}
