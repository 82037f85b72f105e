import type { Versions } from "@travel-booking/engines/read-store";
import { ACCOUNTS } from "./accounts.ts";
import { BOOKINGS } from "./bookings.ts";
import { DESTINATIONS } from "./destinations.ts";
import { DUE_TASKS } from "./due-tasks.ts";
import { FLIGHTS } from "./flights.ts";
import { LOYALTY } from "./loyalty.ts";
import { PASSENGERS } from "./passengers.ts";
import { WEBHOOKS } from "./webhooks.ts";

const PUBLIC = [DESTINATIONS, FLIGHTS, BOOKINGS, LOYALTY, PASSENGERS, WEBHOOKS] as const;
const ALL = [ACCOUNTS, ...PUBLIC, DUE_TASKS] as const;

/** The projections whose read models the public API answers from. */
export const PUBLIC_PROJECTION_NAMES: readonly string[] = PUBLIC.map(({ projection }) => projection);

export const PROJECTION_NAMES: readonly string[] = ALL.map(({ projection }) => projection);

/** What this release builds and reads: raise a version with every change of what is stored. */
export const PROJECTION_VERSIONS: Versions = Object.fromEntries(
  ALL.map(({ projection, version }) => [projection, version]),
);

export interface ProjectionProgress {
  /** Readers see everything up to here. */
  positionOf(projection: string): bigint;
  /** Whether the projection reaches the position within the time-out (real time). */
  waitUntil(projection: string, position: bigint, timeoutMs: number): Promise<boolean>;
}

/**
 * Events are listed and delivered up to here: all read models of the public API show their effects, and no further event
 * can appear at or below this position. It only advances.
 */
export function visiblePosition(progress: Pick<ProjectionProgress, "positionOf">): bigint {
  let lowest: bigint | undefined;
  for (const name of PUBLIC_PROJECTION_NAMES) {
    const position = progress.positionOf(name);
    if (lowest === undefined || position < lowest) lowest = position;
  }
  return lowest ?? 0n;
}
