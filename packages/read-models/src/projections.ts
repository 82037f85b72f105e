import { ACCOUNTS } from "./accounts.ts";
import { BOOKINGS } from "./bookings.ts";
import { DESTINATIONS } from "./destinations.ts";
import { FLIGHTS } from "./flights.ts";
import { OBLIGATIONS } from "./obligations.ts";

/** The names of all projections, for those who wait for them or list them without running them. */
export const PROJECTION_NAMES: readonly string[] = [ACCOUNTS, DESTINATIONS, FLIGHTS, BOOKINGS, OBLIGATIONS].map(
  ({ projection }) => projection,
);
