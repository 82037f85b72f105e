import {
  type BookingCancelled,
  type BookingConfirmed,
  type BookingCreated,
  type BookingEvent,
  bookingDecider,
  type Cancellation,
  type CreateBooking,
  DAY,
  HOUR,
  type Journey,
  type PaymentFailed,
  type PaymentFailureCode,
  type PaymentStarted,
  type PaymentSucceeded,
  type RefundReason,
  type RefundStarted,
  type ReturnCause,
  type ReturnDue,
  type StartBankTransfer,
  type StartPayment,
  type TransferReceived,
  type TransferReversed,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";

export const given = specification(bookingDecider);

/** A Sunday. */
export const T0 = Date.parse("2027-01-03T10:00:00Z");
export const DEPARTS_AT = T0 + 30 * DAY;

/** What is booked. */
export const JOURNEY: Journey = {
  flightId: "flt_1",
  departsAt: DEPARTS_AT,
  durationDays: 480,
  cabin: "economy",
  seats: ["10A", "10B"],
};

/** The booking's flight is cancelled, an hour after `T0`. */
export function flightCancelled(facts: Partial<Cancellation> = {}): Cancellation {
  const before = { departsAt: DEPARTS_AT, durationDays: 480 };
  const decided = { disruptionId: "dis_1", revision: 1, reason: null, at: T0 + HOUR } as const;
  return { ...decided, kind: "cancelled", policy: "refund", before, after: null, ...facts };
}

const DIGITS = "0123456789abcdef0123456789abcdef";
export const BOOKING = `bkg_${DIGITS}`;
export const CARD_PAYMENT = `pay_${DIGITS}00000000000a`;
export const OTHER_PAYMENT = `pay_${DIGITS}00000000000b`;
export const TRANSFER_PAYMENT = `pay_${DIGITS}00000000000c`;
export const CARD_REFUND = `rfd_${DIGITS}00000000000a`;
export const OTHER_AUTOMATIC_REFUND = `rfd_${DIGITS}00000000000b`;
export const TRANSFER_AUTOMATIC_REFUND = `rfd_${DIGITS}00000000000c`;
export const REFUND = `rfd_${DIGITS}0000000000f1`;
export const ACCOUNT = "acc_1";
export const REFERENCE = "RF18539007547034";
export const TOTAL = 206_500;

export const ADA = { name: "Ada Lovelace", email: "ada@example.com" };
export const BOB = { name: "Bob Noyce", email: "bob@example.com" };

export function returnOf(entryId: string): string {
  return `ret_${DIGITS}_${entryId}`;
}

export function create(changes: Partial<CreateBooking> = {}): CreateBooking {
  return {
    type: "CreateBooking",
    bookingId: BOOKING,
    accountId: ACCOUNT,
    flightId: "flt_1",
    cabin: "economy",
    departsAt: DEPARTS_AT,
    passengers: [ADA, BOB],
    seats: ["10A", "10B"],
    fareAmount: 100_000,
    surcharges: [2_500, 4_000],
    creditApplied: 0,
    currency: "USD",
    pointsRate: { points: 1, per: 100 },
    reference: null,
    ...changes,
  };
}

export function created(changes: Partial<BookingCreated["data"]> = {}, at = T0): BookingCreated {
  const { type: _, ...facts } = create();
  return { type: "BookingCreated", at, data: { ...facts, totalAmount: TOTAL, expiresAt: at + DAY, ...changes } };
}

export function confirmed(at: number): BookingConfirmed {
  return { type: "BookingConfirmed", at, data: { bookingId: BOOKING } };
}

export function cancelled(
  at: number,
  cause: BookingCancelled["data"]["cause"] = "requested",
  reason: string | null = null,
  more: Pick<BookingCancelled["data"], "creditGivenUp" | "keepsPoints" | "pointsBackTo"> = {},
): BookingCancelled {
  return { type: "BookingCancelled", at, data: { bookingId: BOOKING, cause, reason, ...more } };
}

export const CARD = {
  type: "card",
  card: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2031 },
  saveCard: false,
} as const;

export function pay(paymentId = CARD_PAYMENT): StartPayment {
  return { type: "StartPayment", accountId: ACCOUNT, paymentId, method: CARD, metadata: [["order", "7"]] };
}

export function started(at: number, paymentId = CARD_PAYMENT, amount = TOTAL): PaymentStarted {
  const method = CARD;
  return {
    type: "PaymentStarted",
    at,
    data: { paymentId, amount, currency: "USD", method, metadata: [["order", "7"]] },
  };
}

export const BANK = { iban: "DE89370400440532013000", bic: "COBADEFFXXX" };

export function transfer(paymentId = TRANSFER_PAYMENT): StartBankTransfer {
  return { type: "StartBankTransfer", accountId: ACCOUNT, paymentId, reference: REFERENCE, ...BANK, metadata: [] };
}

export function transferStarted(at: number, dueAt = at + 3 * DAY): PaymentStarted {
  return {
    type: "PaymentStarted",
    at,
    data: {
      paymentId: TRANSFER_PAYMENT,
      amount: TOTAL,
      currency: "USD",
      method: { type: "bank_transfer", bankTransfer: { dueAt, ...BANK, reference: REFERENCE } },
      metadata: [],
    },
  };
}

/** What money does to the points of the booking: before departure they are pending, from then on they have been earned. */
export type PointsMoved = Pick<RefundStarted["data"], "pending" | "departed">;

export function pendingPoints(from: number, to: number): PointsMoved {
  return { pending: { accountId: ACCOUNT, from, to } };
}

/** All of the price is paid. */
export const ALL_POINTS = pendingPoints(0, TOTAL / 100);
/** All of it goes back. */
export const NO_POINTS = pendingPoints(TOTAL / 100, 0);
export const DEPARTED: PointsMoved = { departed: true };

export function succeeded(
  at: number,
  paymentId = CARD_PAYMENT,
  points: Pick<PointsMoved, "pending"> = ALL_POINTS,
): PaymentSucceeded {
  return { type: "PaymentSucceeded", at, data: { paymentId, ...points } };
}

export function failed(at: number, failureCode: PaymentFailureCode, paymentId = CARD_PAYMENT): PaymentFailed {
  return { type: "PaymentFailed", at, data: { paymentId, failureCode } };
}

export function received(
  at: number,
  entryId: string,
  amount: number,
  applied: number,
  currency = "USD",
): TransferReceived {
  const paymentId = TRANSFER_PAYMENT;
  return {
    type: "TransferReceived",
    at,
    data: { entryId, paymentId, reference: REFERENCE, amount, currency, applied },
  };
}

export function reversed(at: number, entryId: string, points: PointsMoved = {}, reversals = 1): TransferReversed {
  const data = { entryId, paymentId: TRANSFER_PAYMENT, reason: "mistyped", reversals, ...points };
  return { type: "TransferReversed", at, data };
}

export function returnDue(
  at: number,
  entryId: string,
  amount: number,
  cause: ReturnCause,
  currency = "USD",
): ReturnDue {
  const paymentId = TRANSFER_PAYMENT;
  return {
    type: "ReturnDue",
    at,
    data: { returnId: returnOf(entryId), entryId, paymentId, amount, currency, cause },
  };
}

export function refundStarted(
  at: number,
  paymentId: string,
  refundId: string,
  amount: number,
  reason: RefundReason,
  settlesAt: number | null = null,
  about: Partial<RefundStarted["data"]> = {},
): RefundStarted {
  return {
    type: "RefundStarted",
    at,
    data: { refundId, paymentId, amount, currency: "USD", reason, settlesAt, ...about },
  };
}

/** A booking paid by card. */
export function paid(at = T0 + 1): readonly BookingEvent[] {
  return [created(), started(at), succeeded(at), confirmed(at)];
}

/** A booking paid by bank transfer. */
export function paidByTransfer(at = T0 + 1): readonly BookingEvent[] {
  return [
    created(),
    transferStarted(at),
    received(at, "e1", TOTAL, TOTAL),
    succeeded(at, TRANSFER_PAYMENT),
    confirmed(at),
  ];
}
