import type { Operation } from "../operation.ts";
import { exchangeTokenOperation } from "./authentication.ts";
import { getBoardingPassOperation } from "./boarding-pass.ts";
import {
  cancelBookingOperation,
  changeBookingOperation,
  createBookingOperation,
  getBookingHistoryOperation,
  getBookingOperation,
  listBookingsOperation,
} from "./bookings.ts";
import { getDestinationOperation, listDestinationsOperation } from "./destinations.ts";
import { listDocumentsOperation, uploadDocumentOperation } from "./documents.ts";
import { getEventOperation, listEventsOperation } from "./events.ts";
import { getFlightOperation, getSeatMapOperation, listFlightsOperation, searchFlightsOperation } from "./flights.ts";
import { getInterfaceOperation } from "./interface.ts";
import { createRedemptionOperation, getLoyaltyAccountOperation, listLoyaltyTransactionsOperation } from "./loyalty.ts";
import {
  changePassengerOperation,
  createPassengerOperation,
  deletePassengerOperation,
  getPassengerOperation,
  listPassengersOperation,
} from "./passengers.ts";
import { createPaymentOperation, createRefundOperation, getPaymentOperation } from "./payments.ts";
import { createSeatHoldOperation, releaseSeatHoldOperation } from "./seat-holds.ts";
import {
  createWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  getWebhookStatusOperation,
  listWebhookDeliveriesOperation,
  listWebhookEndpointsOperation,
  replayWebhookEndpointOperation,
  resumeWebhookEndpointOperation,
  testWebhookEndpointOperation,
} from "./webhook-endpoints.ts";

/** Every operation of the public API. Where two path templates match one path, the more specific comes first. */
export const operations: readonly Operation[] = [
  exchangeTokenOperation,
  listDestinationsOperation,
  getDestinationOperation,
  listFlightsOperation,
  searchFlightsOperation,
  getFlightOperation,
  getSeatMapOperation,
  createSeatHoldOperation,
  releaseSeatHoldOperation,
  createBookingOperation,
  listBookingsOperation,
  getBookingOperation,
  changeBookingOperation,
  cancelBookingOperation,
  getBookingHistoryOperation,
  getBoardingPassOperation,
  uploadDocumentOperation,
  listDocumentsOperation,
  createPassengerOperation,
  listPassengersOperation,
  getPassengerOperation,
  changePassengerOperation,
  deletePassengerOperation,
  createPaymentOperation,
  getPaymentOperation,
  createRefundOperation,
  getLoyaltyAccountOperation,
  listLoyaltyTransactionsOperation,
  createRedemptionOperation,
  listEventsOperation,
  getEventOperation,
  createWebhookEndpointOperation,
  listWebhookEndpointsOperation,
  deleteWebhookEndpointOperation,
  testWebhookEndpointOperation,
  listWebhookDeliveriesOperation,
  getWebhookStatusOperation,
  resumeWebhookEndpointOperation,
  replayWebhookEndpointOperation,
  getInterfaceOperation,
];
