import { z } from "zod";
import { outputText } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { getBoardingPassKeysOperation, getBoardingPassOperation } from "./resources/boarding-pass.ts";
import {
  cancelBookingOperation,
  changeBookingOperation,
  createBookingOperation,
  getBookingHistoryOperation,
  getBookingOperation,
  listBookingsOperation,
} from "./resources/booking.ts";
import { getBookingSummaryOperation, getCancellationQuoteOperation } from "./resources/booking-summary.ts";
import { getDestinationOperation, listDestinationsOperation } from "./resources/destination.ts";
import {
  acceptDisruptionOperation,
  getDisruptionOperation,
  listAlternativesOperation,
  listBookingDisruptionsOperation,
  listDisruptionsOperation,
  rebookDisruptionOperation,
  refundDisruptionOperation,
} from "./resources/disruption.ts";
import { getEventOperation, listEventsOperation } from "./resources/event.ts";
import {
  getFlightOperation,
  getFlightStatusOperation,
  listFlightsOperation,
  searchFlightsOperation,
} from "./resources/flight.ts";
import {
  createRedemptionOperation,
  getLoyaltyAccountOperation,
  listLoyaltyTransactionsOperation,
} from "./resources/loyalty.ts";
import {
  changePassengerOperation,
  createPassengerOperation,
  deletePassengerOperation,
  getPassengerOperation,
  listPassengersOperation,
} from "./resources/passenger.ts";
import {
  createPaymentOperation,
  createRefundOperation,
  getPaymentOperation,
  listBookingPaymentsOperation,
  listPaymentsOperation,
} from "./resources/payment.ts";
import { createSeatHoldOperation, getSeatHoldOperation, releaseSeatHoldOperation } from "./resources/seat-hold.ts";
import { getSeatMapOperation } from "./resources/seat-map.ts";
import { exchangeTokenOperation } from "./resources/token.ts";
import { listDocumentsOperation, uploadDocumentOperation } from "./resources/travel-document.ts";
import {
  changeWebhookEndpointOperation,
  createWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  getWebhookEndpointOperation,
  getWebhookStatusOperation,
  listWebhookDeliveriesOperation,
  listWebhookEndpointsOperation,
  replayWebhookEndpointOperation,
  resumeWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  testWebhookEndpointOperation,
} from "./resources/webhook-endpoint.ts";

/** Only `openapi`, because the schema of the other fields is published by OpenAPI itself. */
const documentSchema = z
  .looseObject({ openapi: outputText(10).describe("The version of OpenAPI it is written in.") })
  .meta({ id: "InterfaceDescription", description: "An OpenAPI 3.1 document." });

export const getInterfaceOperation = {
  id: "getInterface",
  method: "GET",
  path: "/v1/openapi.json",
  service: "query",
  tag: "Interface",
  summary: "Get this description",
  description:
    "The description of the whole interface, made from the schemas that validate. `/docs` is the same as a page to read. It counts in no limit.",
  scope: null,
  success: { status: 200, body: documentSchema, tagged: true },
} as const satisfies Operation;

/** If two path templates match one path, the more specific template comes first. */
export const operations: readonly Operation[] = [
  exchangeTokenOperation,
  listDestinationsOperation,
  getDestinationOperation,
  listFlightsOperation,
  searchFlightsOperation,
  getFlightOperation,
  getFlightStatusOperation,
  getSeatMapOperation,
  createSeatHoldOperation,
  getSeatHoldOperation,
  releaseSeatHoldOperation,
  createBookingOperation,
  listBookingsOperation,
  getBookingOperation,
  changeBookingOperation,
  cancelBookingOperation,
  getBookingSummaryOperation,
  getCancellationQuoteOperation,
  getBookingHistoryOperation,
  listBookingDisruptionsOperation,
  listDisruptionsOperation,
  getDisruptionOperation,
  listAlternativesOperation,
  acceptDisruptionOperation,
  rebookDisruptionOperation,
  refundDisruptionOperation,
  getBoardingPassOperation,
  getBoardingPassKeysOperation,
  uploadDocumentOperation,
  listDocumentsOperation,
  createPassengerOperation,
  listPassengersOperation,
  getPassengerOperation,
  changePassengerOperation,
  deletePassengerOperation,
  createPaymentOperation,
  listBookingPaymentsOperation,
  listPaymentsOperation,
  getPaymentOperation,
  createRefundOperation,
  getLoyaltyAccountOperation,
  listLoyaltyTransactionsOperation,
  createRedemptionOperation,
  listEventsOperation,
  getEventOperation,
  createWebhookEndpointOperation,
  listWebhookEndpointsOperation,
  getWebhookEndpointOperation,
  changeWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  testWebhookEndpointOperation,
  listWebhookDeliveriesOperation,
  getWebhookStatusOperation,
  resumeWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  replayWebhookEndpointOperation,
  getInterfaceOperation,
];
