import type { OperatorRoute } from "@travel-booking/http/operator";
import { accountRoutes, credentialRoutes } from "./accounts.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { documentRoutes } from "./documents.ts";
import { loyaltyRoutes } from "./loyalty.ts";
import type { OperatorServices } from "./operator-services.ts";
import { refundRoutes, transferRoutes } from "./payments.ts";
import { type ClockServices, clockRoutes, streamRoutes } from "./system.ts";

/** The part of the operator interface that gives commands. */
export function commandOperatorRoutes(services: OperatorServices, clock: ClockServices): readonly OperatorRoute[] {
  return [
    ...accountRoutes(services),
    ...credentialRoutes(services),
    ...catalogueRoutes(services),
    ...transferRoutes(services),
    ...refundRoutes(services),
    ...documentRoutes(services),
    ...loyaltyRoutes(services),
    ...clockRoutes(clock),
    ...streamRoutes(services),
  ];
}
