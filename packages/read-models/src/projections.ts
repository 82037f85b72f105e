import type { Versions } from "@travel-booking/engines/read-store";
import { ACCOUNTS } from "./accounts.ts";
import { BOOKINGS } from "./bookings.ts";
import { DESTINATIONS } from "./destinations.ts";
import { DUE_TASKS } from "./due-tasks.ts";
import { FLIGHTS } from "./flights.ts";
import { LOYALTY } from "./loyalty.ts";
import { PASSENGERS } from "./passengers.ts";
import { WEBHOOKS } from "./webhooks.ts";

const SHOWN = [DESTINATIONS, FLIGHTS, BOOKINGS, LOYALTY, PASSENGERS, WEBHOOKS] as const;
const ALL = [ACCOUNTS, ...SHOWN, DUE_TASKS] as const;

export const PROJECTION_NAMES: readonly string[] = ALL.map(({ projection }) => projection);

/** The projections that reads of the public API show. */
export const SHOWN_PROJECTION_NAMES: readonly string[] = SHOWN.map(({ projection }) => projection);

/** The versions that this release builds and reads. Raise a version with every change of its stored data. */
export const PROJECTION_VERSIONS: Versions = Object.fromEntries(
  ALL.map(({ projection, version }) => [projection, version]),
);

export interface ProjectionProgress {
  /** Readers see everything up to this position. */
  positionOf(projection: string): bigint;
  /** Whether the projection reaches the position within the time-out (real time). */
  waitUntil(projection: string, position: bigint, timeoutMs: number): Promise<boolean>;
}
