import {
  type BookingCancelled,
  type BookingCreated,
  type BookingEvent,
  DAY,
  type PaymentFailureCode,
  type ReturnCause,
} from "@travel-booking/domain";
import type { GivenEvent } from "./deliver.ts";

export const T0 = Date.parse("2027-01-03T10:00:00Z");
export const ACCOUNT = "acc_1";
export const TOTAL = 206_500;
export const REFERENCE = "RF18539007547034";

const DIGITS = "0123456789abcdef0123456789abcdef";
export const BOOKING = `bkg_${DIGITS}`;
export const CARD_PAYMENT = `pay_${DIGITS}00000000000a`;
export const TRANSFER_PAYMENT = `pay_${DIGITS}00000000000c`;
export const REFUND = `rfd_${DIGITS}0000000000f1`;
export const OPERATOR = { actor: { kind: "operator", id: "operator" }, requestId: null, accountId: null } as const;

export function returnOf(entryId: string): string {
  return `ret_${DIGITS}_${entryId}`;
}

/** Events of one booking; at the first moment, then a second later each. */
export function ofBooking(events: readonly BookingEvent[], bookingId = BOOKING): GivenEvent[] {
  return events.map((event) => [`booking-${bookingId}`, event]);
}

export function created(at = T0, changes: Partial<BookingCreated["data"]> = {}): BookingCreated {
  const passengers = [
    { name: "Ada Lovelace", email: "ada@example.com" },
    { name: "Bob Noyce", email: "bob@example.com" },
  ];
  const data: BookingCreated["data"] = {
    bookingId: BOOKING,
    accountId: ACCOUNT,
    flightId: "flt_1",
    cabin: "economy",
    departsAt: T0 + 30 * DAY,
    passengers,
    seats: ["10A", "10B"],
    fareAmount: 100_000,
    surcharges: [2_500, 4_000],
    creditApplied: 0,
    totalAmount: TOTAL,
    currency: "USD",
    reference: null,
    expiresAt: at + DAY,
    ...changes,
  };
  return { type: "BookingCreated", at, data };
}

export function confirmed(at: number): BookingEvent {
  return { type: "BookingConfirmed", at, data: { bookingId: BOOKING } };
}

export function cancelled(at: number, cause: BookingCancelled["data"]["cause"] = "requested"): BookingEvent {
  return { type: "BookingCancelled", at, data: { bookingId: BOOKING, cause, reason: null } };
}

export function cardStarted(at: number): BookingEvent {
  const card = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2031 };
  const method = { type: "card", card, saveCard: false } as const;
  const data = { paymentId: CARD_PAYMENT, amount: TOTAL, currency: "USD", method, metadata: [["order", "7"]] as const };
  return { type: "PaymentStarted", at, data };
}

export function transferStarted(at: number, dueAt = at + 3 * DAY): BookingEvent {
  const bankTransfer = { dueAt, iban: "DE89370400440532013000", bic: "COBADEFFXXX", reference: REFERENCE };
  const method = { type: "bank_transfer", bankTransfer } as const;
  return {
    type: "PaymentStarted",
    at,
    data: { paymentId: TRANSFER_PAYMENT, amount: TOTAL, currency: "USD", method, metadata: [] },
  };
}

export function succeeded(at: number, paymentId: string): BookingEvent {
  return { type: "PaymentSucceeded", at, data: { paymentId } };
}

export function failed(at: number, paymentId: string, failureCode: PaymentFailureCode): BookingEvent {
  return { type: "PaymentFailed", at, data: { paymentId, failureCode } };
}

export function received(at: number, entryId: string, amount: number, applied: number): BookingEvent {
  const data = { entryId, paymentId: TRANSFER_PAYMENT, reference: REFERENCE, amount, currency: "USD", applied };
  return { type: "TransferReceived", at, data };
}

export function returnDue(at: number, entryId: string, amount: number, cause: ReturnCause): BookingEvent {
  const data = { returnId: returnOf(entryId), entryId, paymentId: TRANSFER_PAYMENT, amount, currency: "USD", cause };
  return { type: "ReturnDue", at, data };
}

export function returnSent(at: number, entryId: string): BookingEvent {
  return { type: "ReturnSent", at, data: { returnId: returnOf(entryId) } };
}

export function refundStarted(at: number, paymentId: string, amount: number, settlesAt: number | null): BookingEvent {
  const data = {
    refundId: REFUND,
    paymentId,
    amount,
    currency: "USD",
    reason: "requested_by_customer",
    settlesAt,
  } as const;
  return { type: "RefundStarted", at, data };
}

export function refundSucceeded(at: number, paymentId: string): BookingEvent {
  return { type: "RefundSucceeded", at, data: { refundId: REFUND, paymentId } };
}
