import type { Projection } from "../projection.ts";
import { accounts } from "./accounts/accounts.ts";
import { bookings } from "./bookings/bookings.ts";
import { destinations } from "./destinations.ts";
import { dueTasks } from "./due-tasks.ts";
import { flights } from "./flights.ts";
import { loyalty } from "./loyalty/loyalty.ts";
import { passengers } from "./passengers.ts";
import { webhooks } from "./webhooks.ts";

/** Every projection there is. */
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
