import { ACCOUNTS } from "./accounts.ts";
import { BOOKINGS } from "./bookings.ts";
import { DESTINATIONS } from "./destinations.ts";
import { DUE_TASKS } from "./due-tasks.ts";
import { FLIGHTS } from "./flights.ts";
import { LOYALTY } from "./loyalty.ts";
import { PASSENGERS } from "./passengers.ts";
import { WEBHOOKS } from "./webhooks.ts";

/** The projections whose read models the public API answers from. */
export const PUBLIC_PROJECTION_NAMES: readonly string[] = [
  DESTINATIONS,
  FLIGHTS,
  BOOKINGS,
  LOYALTY,
  PASSENGERS,
  WEBHOOKS,
].map(({ projection }) => projection);

/** The names of all projections, for those who wait for them or list them without running them. */
export const PROJECTION_NAMES: readonly string[] = [
  ACCOUNTS.projection,
  ...PUBLIC_PROJECTION_NAMES,
  DUE_TASKS.projection,
];

/** How far projections have got. */
export interface ProjectionProgress {
  /** Everything up to here is visible to readers. */
  positionOf(projection: string): bigint;
  /** Whether the projection got there within so many milliseconds of real time. */
  waitUntil(projection: string, position: bigint, timeoutMs: number): Promise<boolean>;
}

/**
 * Events are listed and delivered up to here: every read model the public sees shows what they tell of, and none can
 * appear any more at or below it. Only ever advances.
 */
export function visiblePosition(progress: Pick<ProjectionProgress, "positionOf">): bigint {
  let lowest: bigint | undefined;
  for (const name of PUBLIC_PROJECTION_NAMES) {
    const position = progress.positionOf(name);
    if (lowest === undefined || position < lowest) lowest = position;
  }
  return lowest ?? 0n;
}
