/** Why a loyalty account refuses a command. */
export type LoyaltyRejectionCode =
  | "not_enough_points"
  /** This attempt to redeem was given up, or refused, before. */
  | "redemption_given_up"
  | "redemption_not_found"
  /** No booking was named to give the reward to. */
  | "reward_needs_booking"
  | "adjustment_invalid";
