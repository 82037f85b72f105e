import { type BookingCreated, type BookingEvent, DAY, HOUR } from "@travel-booking/domain";

export const T0 = Date.parse("2027-01-03T10:00:00Z");
export const TOTAL = 100_000;
export const DEPARTS_AT = T0 + 30 * DAY;

/** Ids of the n-th booking and of what belongs to it. */
export function idsOf(number: number) {
  const digits = number.toString(16).padStart(32, "0");
  return {
    booking: `bkg_${digits}`,
    card: `pay_${digits}00000000000a`,
    transfer: `pay_${digits}00000000000c`,
    refund: `rfd_${digits}0000000000f1`,
  };
}

export type Ids = ReturnType<typeof idsOf>;

export function created(ids: Ids, at = T0, changes: Partial<BookingCreated["data"]> = {}): BookingCreated {
  const data: BookingCreated["data"] = {
    bookingId: ids.booking,
    accountId: "acc_1",
    flightId: "flt_1",
    cabin: "economy",
    departsAt: DEPARTS_AT,
    passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
    seats: ["10A"],
    fareAmount: TOTAL,
    surcharges: [0],
    creditApplied: 0,
    totalAmount: TOTAL,
    currency: "USD",
    reference: null,
    expiresAt: at + DAY,
    ...changes,
  };
  return { type: "BookingCreated", at, data };
}

/** Paid by card in the same millisecond. */
export function paid(ids: Ids, at: number): BookingEvent[] {
  const card = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2031 };
  const method = { type: "card", card, saveCard: false } as const;
  const payment = {
    paymentId: ids.card,
    amount: TOTAL,
    currency: "USD",
    method,
    metadata: [["__proto__", "7"]],
  } as const;
  return [
    { type: "PaymentStarted", at, data: payment },
    { type: "PaymentSucceeded", at, data: { paymentId: ids.card } },
    { type: "BookingConfirmed", at, data: { bookingId: ids.booking } },
  ];
}

export function transferStarted(ids: Ids, at: number, dueAt = at + 72 * HOUR): BookingEvent {
  const bankTransfer = { dueAt, iban: "DE89370400440532013000", bic: "COBADEFFXXX", reference: "RF18539007547034" };
  const method = { type: "bank_transfer", bankTransfer } as const;
  const data = { paymentId: ids.transfer, amount: TOTAL, currency: "USD", method, metadata: [] };
  return { type: "PaymentStarted", at, data };
}

export function refundStarted(ids: Ids, at: number, settlesAt: number): BookingEvent {
  const money = { amount: 400, currency: "USD", reason: "duplicate" } as const;
  return { type: "RefundStarted", at, data: { ...money, refundId: ids.refund, paymentId: ids.card, settlesAt } };
}

/** A booking as it is shown. */
export function shown(ids: Ids, changes: object = {}) {
  return {
    id: ids.booking,
    status: "pending",
    cabin: "economy",
    flightId: "flt_1",
    passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
    totalAmount: TOTAL,
    currency: "USD",
    documents: [],
    seats: ["10A"],
    createdAt: "2027-01-03T10:00:00.000Z",
    ...changes,
  };
}
