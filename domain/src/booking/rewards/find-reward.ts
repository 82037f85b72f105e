import { type BookingState, isExistingBooking } from "../state.ts";
import type { GivenReward } from "./given-reward.ts";

/** What a redemption gave to this booking; undefined where it gave nothing, or not yet. */
export function findReward(state: BookingState, redemptionId: string): GivenReward | undefined {
  return isExistingBooking(state) ? state.rewards.find((reward) => reward.redemptionId === redemptionId) : undefined;
}
