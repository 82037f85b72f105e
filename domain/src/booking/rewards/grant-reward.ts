import { accept, type Decision, type Instant, reject } from "../../shared/decision.ts";
import type { BookingEvent } from "../events.ts";
import type { BookingRejectionCode } from "../rejections.ts";
import { initialStatus } from "../rules/initial-status.ts";
import type { BookingState, PendingBooking } from "../state.ts";
import type { AddReward, ApplyCredit, UpgradeCabin } from "./commands.ts";
import { priceWithSurcharges } from "./credit.ts";
import type { CabinUpgraded } from "./events.ts";
import { guardReward } from "./guard-reward.ts";

type RewardDecision = Decision<BookingEvent, BookingRejectionCode>;

/** Lowers what is to pay, to zero at most; a booking with nothing left to pay is confirmed. Not under a payment. */
export function applyCredit(command: ApplyCredit, state: BookingState, at: Instant): RewardDecision {
  return guardReward(command, state, at, (booking) => {
    if (booking.status === "confirmed") return reject("already_paid");
    if (hasPaymentUnderWay(booking)) return reject("payment_pending");
    const { redemptionId } = command;
    const amount = Math.min(command.amount, booking.totalAmount);
    const totalAmount = booking.totalAmount - amount;
    const applied: BookingEvent = { type: "CreditApplied", at, data: { redemptionId, amount, totalAmount } };
    return accept(applied, ...confirmedIfFree(booking, totalAmount, at));
  });
}

/**
 * Takes over places in a higher cabin, at no charge; the old seats are given up, and while nothing is paid what they
 * would have cost with them.
 */
export function upgradeCabin(command: UpgradeCabin, state: BookingState, at: Instant): RewardDecision {
  return guardReward(command, state, at, (booking) => {
    const { redemptionId, cabin } = command;
    if (booking.changesClosed.includes(redemptionId)) return reject("redemption_closed");
    const data = { redemptionId, cabin };
    if (booking.status === "confirmed") return accept<BookingEvent>({ type: "CabinUpgraded", at, data });
    const { totalAmount, ...credit } = priceWithSurcharges(booking, []);
    const totalDiffers = totalAmount !== booking.totalAmount;
    if (totalDiffers && hasPaymentUnderWay(booking)) return reject("payment_pending");
    const price = {
      ...(booking.surcharges.length > 0 && { surcharges: [] }),
      ...(totalDiffers && { totalAmount }),
      ...credit,
    };
    const upgraded: CabinUpgraded = { type: "CabinUpgraded", at, data: { ...data, ...price } };
    return accept<BookingEvent>(upgraded, ...confirmedIfFree(booking, totalAmount, at));
  });
}

/** Something extra that is in the booking's records. */
export function addReward(command: AddReward, state: BookingState, at: Instant): RewardDecision {
  const { redemptionId, reward } = command;
  return guardReward(command, state, at, () =>
    accept<BookingEvent>({ type: "RewardAdded", at, data: { redemptionId, reward } }),
  );
}

function confirmedIfFree({ bookingId }: PendingBooking, totalAmount: number, at: Instant): readonly BookingEvent[] {
  return initialStatus(totalAmount) === "confirmed" ? [{ type: "BookingConfirmed", at, data: { bookingId } }] : [];
}

function hasPaymentUnderWay({ payments }: PendingBooking): boolean {
  return payments.some(({ status }) => status === "pending");
}
