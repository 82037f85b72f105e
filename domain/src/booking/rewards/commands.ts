import type { Cabin } from "../../shared/cabin.ts";

interface RedemptionReference {
  readonly accountId: string;
  readonly redemptionId: string;
}

/** Credit for a booking that is to be paid; no more than the price is used. */
export interface ApplyCredit extends RedemptionReference {
  readonly type: "ApplyCredit";
  /** Cents. */
  readonly amount: number;
}

/** Places in a higher cabin that the flight has reserved under the redemption's id. */
export interface UpgradeCabin extends RedemptionReference {
  readonly type: "UpgradeCabin";
  readonly cabin: Cabin;
}

export interface AddReward extends RedemptionReference {
  readonly type: "AddReward";
  readonly reward: "extra_baggage" | "lounge_access";
}

/** Settles for good that a reward is not given, unless it has been. */
export interface CloseRedemption {
  readonly type: "CloseRedemption";
  readonly redemptionId: string;
}

/** A timer's command, from departure on. */
export interface RecordDeparture {
  readonly type: "RecordDeparture";
}

export type RewardCommand = ApplyCredit | UpgradeCabin | AddReward | CloseRedemption | RecordDeparture;
