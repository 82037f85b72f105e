import type { z } from "zod";
import type { createPaymentSchema, PaymentBody } from "../resources/payment.ts";
import type { createRefundSchema, RefundBody } from "../resources/refund.ts";
import { booking } from "./bookings.ts";

type CreatePayment = z.input<typeof createPaymentSchema>;

export const byCard: CreatePayment = { type: "card", token: "tok_visa", metadata: { order: "1815" } };
export const byWallet: CreatePayment = { type: "wallet", walletType: "apple_pay", token: "tok_mastercard" };
export const byTransfer: CreatePayment = { type: "bank_transfer" };

export const payment: PaymentBody = {
  id: "pay_01JC8Q6Q8S0U2W4Y6A8C0E2G",
  bookingId: booking.id,
  status: "succeeded",
  failureCode: null,
  failureMessage: null,
  amount: booking.totalAmount,
  amountRefunded: 0,
  currency: "USD",
  method: {
    type: "card",
    card: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 },
    wallet: null,
    bankTransfer: null,
  },
  metadata: { order: "1815" },
  refunds: [],
  createdAt: "2026-11-02T09:31:00.000Z",
};

export const pendingTransfer: PaymentBody = {
  ...payment,
  status: "pending",
  method: {
    type: "bank_transfer",
    card: null,
    wallet: null,
    bankTransfer: {
      dueAt: "2026-11-05T09:31:00.000Z",
      iban: "DE89370400440532013000",
      bic: "COBADEFFXXX",
      reference: "TBS7Q6Q8S0U2W4",
    },
  },
  metadata: {},
};

export const declined: PaymentBody = {
  ...payment,
  status: "failed",
  failureCode: "insufficient_funds",
  failureMessage: "The card has insufficient funds.",
  metadata: {},
};

export const refundRequest: z.input<typeof createRefundSchema> = { amount: 100_000, reason: "requested_by_customer" };

export const refund: RefundBody = {
  id: "rfd_01JC8Q7S0U2W4Y6A8C0E2G4J",
  paymentId: payment.id,
  amount: 100_000,
  currency: "USD",
  reason: "requested_by_customer",
  status: "succeeded",
  createdAt: "2026-11-03T12:00:00.000Z",
};
