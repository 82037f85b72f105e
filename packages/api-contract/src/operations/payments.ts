import type { Operation } from "../operation.ts";
import { createPaymentSchema, paymentSchema } from "../resources/payment.ts";
import { createRefundSchema, refundSchema } from "../resources/refund.ts";

const NO_PAYMENT = "There is no payment with this id.";

export const createPaymentOperation = {
  id: "createPayment",
  method: "POST",
  path: "/v1/bookings/{id}/payments",
  service: "command",
  tag: "Payments",
  summary: "Pay for a booking",
  description:
    "Cards and wallets are charged at once; a declined charge is a payment with the status `failed`, not an error. A bank transfer stays `pending` until the money arrives, and `method.bankTransfer` says where to send it. The same key never charges twice.",
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
  tag: "Payments",
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
  tag: "Payments",
  summary: "Refund a payment, in full or in part",
  description:
    "May be asked for again and again until everything is refunded. It does not cancel the booking. Refunds of bank transfers stay `pending` for a few days.",
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
