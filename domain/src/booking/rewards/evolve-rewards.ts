import { assertNever } from "../../shared/assert-never.ts";
import type { ExistingBooking } from "../state.ts";
import type { RewardEvent } from "./events.ts";

/** Folds what points were spent on for a booking into it, in place. */
export function evolveRewards(booking: ExistingBooking, event: RewardEvent): void {
  switch (event.type) {
    case "CreditApplied": {
      const { redemptionId, amount, totalAmount } = event.data;
      booking.rewards.push({ redemptionId, reward: "booking_credit", amount });
      booking.creditApplied += amount;
      booking.totalAmount = totalAmount;
      return;
    }
    case "CabinUpgraded": {
      const { redemptionId, cabin, surcharges, totalAmount, creditGivenUp } = event.data;
      booking.rewards.push({ redemptionId, reward: "cabin_upgrade", amount: 0 });
      booking.changesApplied.push(redemptionId);
      booking.cabin = cabin;
      booking.seats = [];
      if (surcharges !== undefined) booking.surcharges = surcharges;
      if (totalAmount !== undefined) booking.totalAmount = totalAmount;
      if (creditGivenUp !== undefined) booking.creditApplied -= creditGivenUp.amount;
      return;
    }
    case "RewardAdded":
      booking.rewards.push({ ...event.data, amount: 0 });
      return;
    case "RedemptionClosed":
      booking.redemptionsClosed.push(event.data.redemptionId);
      return;
    case "BookingFlown":
      booking.flown = true;
      return;
    default:
      assertNever(event);
  }
}
