import type { Operation } from "../operation.ts";
import { createPaymentSchema, paymentSchema } from "../resources/payment.ts";
import { createRefundSchema, refundSchema } from "../resources/refund.ts";

const NO_PAYMENT = "There is no payment with this id.";

export const createPaymentOperation = {
  id: "createPayment",
  method: "POST",
  path: "/v1/bookings/{id}/payments",
  service: "command",
  summary: "Pay for a booking",
  scope: "payments:write",
  body: createPaymentSchema,
  idempotencyKey: "required",
  success: { status: 201, body: paymentSchema },
  errors: {
    404: "There is no booking with this id.",
    409: "The booking is cancelled or already paid, another payment is under way, or the flight has departed.",
    422: "The flight departs too soon for a bank transfer, or the Idempotency-Key was already used with a different request.",
  },
} as const satisfies Operation;

export const getPaymentOperation = {
  id: "getPayment",
  method: "GET",
  path: "/v1/payments/{id}",
  service: "query",
  summary: "Get a payment with its refunds",
  scope: "payments:read",
  success: { status: 200, body: paymentSchema },
  errors: { 404: NO_PAYMENT },
} as const satisfies Operation;

export const createRefundOperation = {
  id: "createRefund",
  method: "POST",
  path: "/v1/payments/{id}/refunds",
  service: "command",
  summary: "Refund a payment, in full or in part",
  scope: "payments:write",
  body: createRefundSchema,
  bodyOptional: true,
  idempotencyKey: "accepted",
  success: { status: 201, body: refundSchema },
  errors: {
    404: NO_PAYMENT,
    409: "The payment has not succeeded, or is already fully refunded.",
    422: "The amount is more than what is left to refund.",
  },
} as const satisfies Operation;
