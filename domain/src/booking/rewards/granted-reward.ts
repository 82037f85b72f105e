import type { Reward } from "../../loyalty/reward.ts";

/** A reward the booking was given. */
export interface GrantedReward {
  readonly redemptionId: string;
  readonly reward: Reward;
  /** Cents that lowered the price; 0 but for a credit. */
  readonly amount: number;
}
