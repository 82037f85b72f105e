import type { Route } from "@travel-booking/http";
import { boardingPassRoutes } from "./boarding-passes.ts";
import { bookingRoutes } from "./bookings.ts";
import type { QueryDependencies } from "./dependencies.ts";
import { destinationRoutes } from "./destinations.ts";
import { disruptionRoutes } from "./disruptions.ts";
import { eventRoutes } from "./events.ts";
import { flightRoutes } from "./flights.ts";
import { loyaltyRoutes } from "./loyalty.ts";
import { passengerRoutes } from "./passengers.ts";
import { paymentRoutes } from "./payments.ts";
import { webhookRoutes } from "./webhooks.ts";

const RESOURCES = [
  bookingRoutes,
  paymentRoutes,
  flightRoutes,
  destinationRoutes,
  disruptionRoutes,
  boardingPassRoutes,
  loyaltyRoutes,
  eventRoutes,
  passengerRoutes,
  webhookRoutes,
];

/** The routes of all operations that only read. */
export function queryRoutes(dependencies: QueryDependencies): readonly Route[] {
  return RESOURCES.flatMap((routesOf) => routesOf(dependencies));
}
