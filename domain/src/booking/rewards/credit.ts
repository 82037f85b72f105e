import { priceOf, totalAmountOf } from "../rules/price.ts";
import type { ExistingBooking, PendingBooking } from "../state.ts";
import type { CreditGivenUp } from "./events.ts";

/** All credit of a booking that is over, for its account's next one. */
export function releasedCredit({ bookingId, accountId, creditApplied: amount }: ExistingBooking): {
  readonly creditGivenUp?: CreditGivenUp;
} {
  return amount === 0 ? {} : { creditGivenUp: { accountId, creditId: `${bookingId}/cancelled`, amount } };
}

/**
 * What a pending booking costs with other seats. Credit it has no use for any more is given up: with nothing left to
 * pay it is confirmed, and its price never moves again.
 */
export function priceWithSurcharges(
  { bookingId, accountId, fareAmount, passengers, creditApplied }: PendingBooking,
  surcharges: readonly number[],
): { readonly totalAmount: number; readonly creditGivenUp?: CreditGivenUp } {
  const parts = { fareAmount, passengers: passengers.length, surcharges };
  const totalAmount = totalAmountOf(parts, creditApplied);
  const amount = creditApplied - priceOf(parts);
  return amount > 0
    ? { totalAmount, creditGivenUp: { accountId, creditId: `${bookingId}/repriced`, amount } }
    : { totalAmount };
}
