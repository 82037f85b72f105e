import type { CabinPlan } from "../flight/events.ts";
import type { Tier } from "../loyalty/tier.ts";
import { assertNever } from "../shared/assert-never.ts";

/** Groups in the order they are called in. */
export const BOARDING_GROUPS = ["A", "B", "C", "D", "E"] as const;
export type BoardingGroup = (typeof BOARDING_GROUPS)[number];

/** Whether a row is in the rear half of its cabin; the middle one of an odd number counts to the rear. */
export function isInRearHalf({ rows: [first, last] }: Pick<CabinPlan, "rows">, row: number): boolean {
  return row - first >= Math.floor((last - first + 1) / 2);
}

/**
 * When a passenger is called: A first or admiral, B business or pioneer, C premium economy, D economy's rear half, E its
 * front half (docs/rules.md#boarding-groups).
 */
export function boardingGroupOf(plan: Pick<CabinPlan, "cabin" | "rows">, row: number, tier: Tier): BoardingGroup {
  if (tier === "admiral") return "A";
  const { cabin } = plan;
  if (cabin === "first") return "A";
  if (tier === "pioneer") return "B";
  switch (cabin) {
    case "business":
      return "B";
    case "premium_economy":
      return "C";
    case "economy":
      return isInRearHalf(plan, row) ? "D" : "E";
    default:
      return assertNever(cabin);
  }
}
