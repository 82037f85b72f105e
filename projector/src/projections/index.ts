import type { Projection } from "../projection.ts";
import { accounts } from "./accounts.ts";
import { bookings } from "./bookings/bookings.ts";
import { destinations } from "./destinations.ts";
import { dueTasks } from "./due-tasks.ts";
import { flights } from "./flights.ts";
import { loyalty } from "./loyalty.ts";
import { passengers } from "./passengers.ts";
import { webhooks } from "./webhooks.ts";

/** All projections. A new one is a file beside this one, an entry here, and its names in `packages/read-models` with an entry in `PROJECTION_NAMES`. */
export const projections: readonly Projection[] = [
  destinations,
  flights,
  bookings,
  loyalty,
  accounts,
  passengers,
  webhooks,
  dueTasks,
];
