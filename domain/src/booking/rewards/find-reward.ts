import { type BookingState, isExistingBooking } from "../state.ts";
import type { GrantedReward } from "./granted-reward.ts";

/** What a redemption gave to this booking; undefined where it gave nothing, or not yet. */
export function findReward(state: BookingState, redemptionId: string): GrantedReward | undefined {
  return isExistingBooking(state) ? state.rewards.find((reward) => reward.redemptionId === redemptionId) : undefined;
}
