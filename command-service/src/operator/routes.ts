import type { OperatorRoute } from "@travel-booking/http/operator";
import type { Erasures } from "../erasures/erasures.ts";
import type { Retention } from "../erasures/retention.ts";
import type { Reconciliation } from "../payments/daily-reconciliation.ts";
import { accountRoutes, credentialRoutes } from "./accounts.ts";
import { bookingCommandRoutes } from "./booking-commands.ts";
import { bookingRoutes } from "./bookings.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { disruptionRoutes } from "./disruptions.ts";
import { documentRoutes } from "./documents.ts";
import { erasureRoutes } from "./erasures.ts";
import { flightRoutes } from "./flights.ts";
import { handingOverRoutes } from "./handing-over.ts";
import { loyaltyRoutes } from "./loyalty.ts";
import type { OperatorServices } from "./operator-services.ts";
import { reconciliationRoutes, refundRoutes } from "./payments.ts";
import { personRoutes } from "./persons.ts";
import { reportRoutes } from "./reports.ts";
import { searchRoutes } from "./search.ts";
import { type ClockServices, clockRoutes, streamRoutes } from "./system.ts";
import { transferRoutes } from "./transfers.ts";
import { webhookEndpointRoutes } from "./webhook-endpoints.ts";

/** The part of the operator interface that the command side serves. */
export function commandOperatorRoutes(
  services: OperatorServices,
  clock: ClockServices,
  reconciliation: Reconciliation,
  erasures: Erasures,
  retention: Pick<Retention, "report">,
): readonly OperatorRoute[] {
  return [
    ...accountRoutes(services),
    ...credentialRoutes(services),
    ...searchRoutes(services),
    ...bookingRoutes(services),
    ...bookingCommandRoutes(services),
    ...catalogueRoutes(services),
    ...flightRoutes(services),
    ...disruptionRoutes(services),
    ...transferRoutes(services),
    ...refundRoutes(services),
    ...reportRoutes(services),
    ...reconciliationRoutes(reconciliation),
    ...documentRoutes(services),
    ...loyaltyRoutes(services),
    ...erasureRoutes(services, erasures, retention),
    ...personRoutes(services, erasures),
    ...handingOverRoutes(services),
    ...clockRoutes(clock),
    ...streamRoutes(services),
    ...webhookEndpointRoutes(services),
  ];
}
