import {
  acceptDisruptionOperation,
  cancelBookingOperation,
  changeBookingOperation,
  changePassengerOperation,
  changeWebhookEndpointOperation,
  createBookingOperation,
  createPassengerOperation,
  createPaymentOperation,
  createRedemptionOperation,
  createRefundOperation,
  createSeatHoldOperation,
  createWebhookEndpointOperation,
  deletePassengerOperation,
  deleteWebhookEndpointOperation,
  rebookDisruptionOperation,
  refundDisruptionOperation,
  releaseSeatHoldOperation,
  resumeWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  uploadDocumentOperation,
} from "@travel-booking/api-contract";
import { MAX_DOCUMENT_BYTES } from "@travel-booking/domain";
import type { Route } from "@travel-booking/http";
import { answerDisruption, rebookDisruption } from "./bookings/answer-disruption.ts";
import { cancelBooking } from "./bookings/cancel-booking.ts";
import { changeBooking } from "./bookings/change-booking.ts";
import { createBooking } from "./bookings/create-booking.ts";
import { holdSeats, releaseHold } from "./bookings/seat-holds.ts";
import { receiveDocument, uploadDocument } from "./documents/upload-document.ts";
import { redeem } from "./loyalty/redeem.ts";
import { changePassenger } from "./passengers/change-passenger.ts";
import { createPassenger } from "./passengers/create-passenger.ts";
import { deletePassenger } from "./passengers/delete-passenger.ts";
import { createPayment } from "./payments/create-payment.ts";
import { createRefund } from "./payments/create-refund.ts";
import { withinQuota } from "./quotas/within-quota.ts";
import type { CommandServices } from "./services.ts";
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  resumeWebhookEndpoint,
  rotateWebhookSecret,
} from "./webhook-endpoints.ts";

/** The routes of all operations that write. */
export function commandRoutes(services: CommandServices): readonly Route[] {
  const { quotas } = services;
  return [
    { operation: createSeatHoldOperation, handler: withinQuota(quotas.openHolds, holdSeats(services)) },
    { operation: createBookingOperation, handler: createBooking(services) },
    { operation: createPaymentOperation, handler: createPayment(services) },
    { operation: changeBookingOperation, handler: changeBooking(services) },
    { operation: cancelBookingOperation, handler: cancelBooking(services) },
    { operation: acceptDisruptionOperation, handler: answerDisruption(services, "accept") },
    { operation: rebookDisruptionOperation, handler: rebookDisruption(services) },
    { operation: refundDisruptionOperation, handler: answerDisruption(services, "refund") },
    { operation: createRefundOperation, handler: createRefund(services) },
    {
      operation: uploadDocumentOperation,
      handler: uploadDocument(services),
      upload: { maxBytes: MAX_DOCUMENT_BYTES, take: receiveDocument(services) },
    },
    { operation: createRedemptionOperation, handler: redeem(services) },
    { operation: releaseSeatHoldOperation, handler: releaseHold(services) },
    { operation: createPassengerOperation, handler: withinQuota(quotas.passengers, createPassenger(services)) },
    { operation: changePassengerOperation, handler: changePassenger(services) },
    { operation: deletePassengerOperation, handler: deletePassenger(services) },
    { operation: createWebhookEndpointOperation, handler: createWebhookEndpoint(services), confidential: true },
    { operation: changeWebhookEndpointOperation, handler: changeWebhookEndpoint(services) },
    { operation: deleteWebhookEndpointOperation, handler: deleteWebhookEndpoint(services) },
    { operation: resumeWebhookEndpointOperation, handler: resumeWebhookEndpoint(services) },
    { operation: rotateWebhookSecretOperation, handler: rotateWebhookSecret(services), confidential: true },
  ];
}
