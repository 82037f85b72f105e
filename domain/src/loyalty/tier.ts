/** Tiers, lowest first, each with the lifetime points it begins at (docs/rules.md#tiers). */
const THRESHOLDS = [
  { tier: "voyager", from: 0 },
  { tier: "pioneer", from: 50_000 },
  { tier: "admiral", from: 150_000 },
] as const;

export type Tier = (typeof THRESHOLDS)[number]["tier"];

export const TIERS = ["voyager", "pioneer", "admiral"] as const satisfies readonly Tier[];

/** How far it is to the next tier. */
export interface TierProgress {
  /** Null at the highest tier, and the points with it. */
  readonly nextTier: Tier | null;
  readonly pointsToNextTier: number | null;
  /** Whole percent of the way from the beginning of the tier to the next, rounded down; 100 at the highest. */
  readonly percent: number;
}

/** The tier somebody with so many lifetime points has. */
export function tierOf(lifetimePoints: number): Tier {
  return (THRESHOLDS.findLast(({ from }) => lifetimePoints >= from) ?? THRESHOLDS[0]).tier;
}

/** Where somebody with so many lifetime points stands between two tiers. */
export function tierProgressOf(lifetimePoints: number): TierProgress {
  const next = THRESHOLDS.find(({ from }) => from > lifetimePoints);
  if (next === undefined) return { nextTier: null, pointsToNextTier: null, percent: 100 };
  const { from } = THRESHOLDS.findLast((reached) => lifetimePoints >= reached.from) ?? THRESHOLDS[0];
  const percent = Math.floor((100 * (lifetimePoints - from)) / (next.from - from));
  return { nextTier: next.tier, pointsToNextTier: next.from - lifetimePoints, percent: Math.max(0, percent) };
}
