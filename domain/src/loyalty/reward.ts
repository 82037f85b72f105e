/** What points buy, and for how many (docs/rules.md#rewards). */
export const REWARDS = ["cabin_upgrade", "booking_credit", "extra_baggage", "lounge_access"] as const;
export type Reward = (typeof REWARDS)[number];

const COSTS: Readonly<Record<Reward, number>> = {
  cabin_upgrade: 40_000,
  booking_credit: 10_000,
  extra_baggage: 8_000,
  lounge_access: 5_000,
};

/** Cents a `booking_credit` is worth. */
export const BOOKING_CREDIT = 10_000;

export function costOf(reward: Reward): number {
  return COSTS[reward];
}

/** Whether a reward can only be given to a booking. */
export function needsBooking(reward: Reward): boolean {
  return reward === "cabin_upgrade" || reward === "extra_baggage";
}
