import {
  cancelBookingOperation,
  changeBookingOperation,
  createBookingOperation,
  createPaymentOperation,
  createRefundOperation,
  createSeatHoldOperation,
  createWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  releaseSeatHoldOperation,
  resumeWebhookEndpointOperation,
} from "@travel-booking/api-contract";
import type { Route } from "@travel-booking/http";
import { cancelBooking } from "./bookings/cancel-booking.ts";
import { changeBooking } from "./bookings/change-booking.ts";
import { createBooking } from "./bookings/create-booking.ts";
import { createPayment } from "./payments/create-payment.ts";
import { createRefund } from "./payments/create-refund.ts";
import { holdSeats } from "./seats/hold-seats.ts";
import { releaseHold } from "./seats/release-hold.ts";
import type { CommandServices } from "./services.ts";
import { createWebhookEndpoint } from "./webhooks/create-endpoint.ts";
import { deleteWebhookEndpoint } from "./webhooks/delete-endpoint.ts";
import { resumeWebhookEndpoint } from "./webhooks/resume-endpoint.ts";

/** Everything that writes, the busiest first. */
export function commandRoutes(services: CommandServices): readonly Route[] {
  return [
    { operation: createSeatHoldOperation, handler: holdSeats(services), hot: true },
    { operation: createBookingOperation, handler: createBooking(services), hot: true },
    { operation: createPaymentOperation, handler: createPayment(services) },
    { operation: changeBookingOperation, handler: changeBooking(services) },
    { operation: cancelBookingOperation, handler: cancelBooking(services) },
    { operation: createRefundOperation, handler: createRefund(services) },
    { operation: releaseSeatHoldOperation, handler: releaseHold(services) },
    { operation: createWebhookEndpointOperation, handler: createWebhookEndpoint(services), confidential: true },
    { operation: deleteWebhookEndpointOperation, handler: deleteWebhookEndpoint(services) },
    { operation: resumeWebhookEndpointOperation, handler: resumeWebhookEndpoint(services) },
  ];
}
