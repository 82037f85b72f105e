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
