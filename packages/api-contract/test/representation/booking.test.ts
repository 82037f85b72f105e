import { describe, expect, test } from "@jest/globals";
import { type ConfirmedBooking, PAYMENT_FAILURE_CODES, type Payment, type Refund } from "@travel-booking/domain";
import {
  bookingBody,
  bookingSchema,
  failureMessage,
  paymentBody,
  paymentSchema,
  refundBody,
  refundSchema,
} from "../../src/index.ts";

const AT = Date.UTC(2027, 0, 1, 12, 30);
const refund = (refundId: string, amount: number, status: Refund["status"]): Refund => ({
  refundId,
  paymentId: "pay_1",
  amount,
  currency: "USD",
  reason: "duplicate",
  createdAt: AT + 1_000,
  settlesAt: null,
  status,
});
const payment: Payment = {
  paymentId: "pay_1",
  amount: 5_000,
  currency: "USD",
  method: { type: "card", card: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2099 }, saveCard: true },
  metadata: [
    ["order", "7"],
    ["__proto__", "x"],
  ],
  createdAt: AT,
  status: "succeeded",
  failureCode: null,
  refunds: [refund("rfd_1", 1_000, "succeeded"), refund("rfd_2", 500, "pending")],
  entries: [],
};
const booking: ConfirmedBooking = {
  status: "confirmed",
  confirmedAt: AT,
  bookingId: "bkg_1",
  accountId: "acc_1",
  flightId: "KP442-20270301",
  cabin: "economy",
  departsAt: AT,
  createdAt: AT,
  currency: "USD",
  fareAmount: 2_500,
  creditApplied: 0,
  creditClaimed: 0,
  passengers: [{ name: "Ada", email: "ada@example.com" }],
  seats: ["12A"],
  surcharges: [0],
  totalAmount: 5_000,
  reference: "ACME-1",
  payments: [payment],
  returns: [],
  changesApplied: [],
  changesClosed: [],
  documents: [],
  uploadsClosed: [],
  rewards: [],
  redemptionsClosed: [],
  pendingPoints: 0,
  flown: false,
};

const shownRefund = (id: string, amount: number, status: string) => ({
  id,
  paymentId: "pay_1",
  amount,
  currency: "USD",
  reason: "duplicate",
  status,
  createdAt: "2027-01-01T12:30:01.000Z",
});

describe("booking", () => {
  const shown = {
    id: "bkg_1",
    status: "confirmed",
    cabin: "economy",
    flightId: "KP442-20270301",
    passengers: [{ name: "Ada", email: "ada@example.com" }],
    totalAmount: 5_000,
    currency: "USD",
    documents: [],
    seats: ["12A"],
    reference: "ACME-1",
    createdAt: "2027-01-01T12:30:00.000Z",
  };

  test("shows exactly the published fields, in their order", () => {
    expect(JSON.stringify(bookingBody(booking))).toBe(JSON.stringify(shown));
    expect(bookingSchema.parse(bookingBody(booking))).toStrictEqual(shown);
  });

  test("has no reference where the client gave none", () => {
    const { reference: _, ...without } = shown;
    expect(bookingBody({ ...booking, reference: null })).toStrictEqual(without);
  });
});

describe("payment", () => {
  test("shows exactly the published fields, in their order", () => {
    const shown = {
      id: "pay_1",
      bookingId: "bkg_1",
      status: "succeeded",
      failureCode: null,
      failureMessage: null,
      amount: 5_000,
      amountRefunded: 1_500,
      currency: "USD",
      method: {
        type: "card",
        card: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2099 },
        wallet: null,
        bankTransfer: null,
      },
      metadata: Object.fromEntries([
        ["order", "7"],
        ["__proto__", "x"],
      ]),
      refunds: [shownRefund("rfd_1", 1_000, "succeeded"), shownRefund("rfd_2", 500, "pending")],
      createdAt: "2027-01-01T12:30:00.000Z",
    };
    expect(JSON.stringify(paymentBody(booking, payment))).toBe(JSON.stringify(shown));
  });

  test.each([
    [
      "card of another network",
      { type: "card", card: { brand: "elo", last4: "1", expMonth: 1, expYear: 2030 }, saveCard: false },
      {
        type: "card",
        card: { brand: "unknown", last4: "1", expMonth: 1, expYear: 2030 },
        wallet: null,
        bankTransfer: null,
      },
    ],
    [
      "wallet",
      { type: "wallet", wallet: { type: "paypal" } },
      { type: "wallet", card: null, wallet: { type: "paypal" }, bankTransfer: null },
    ],
    [
      "bank transfer",
      { type: "bank_transfer", bankTransfer: { dueAt: AT, iban: "DE1", bic: "B", reference: "RF1" } },
      {
        type: "bank_transfer",
        card: null,
        wallet: null,
        bankTransfer: { dueAt: "2027-01-01T12:30:00.000Z", iban: "DE1", bic: "B", reference: "RF1" },
      },
    ],
  ] as const)("by %s", (_case, method, shown) => {
    const body = paymentBody(booking, { ...payment, method, metadata: [], refunds: [] });
    expect(body.method).toStrictEqual(shown);
    expect(paymentSchema.parse(body)).toStrictEqual(body);
  });

  test.each(PAYMENT_FAILURE_CODES)("that failed with %s says so to people", (failureCode) => {
    const body = paymentBody(booking, { ...payment, status: "failed", failureCode, metadata: [], refunds: [] });
    expect(body.failureMessage).toBe(failureMessage(failureCode));
    expect(body.failureMessage).toMatch(/^[A-Z].*\.$/);
    expect(paymentSchema.parse(body)).toStrictEqual(body);
  });
});

test("a refund shows exactly the published fields, in their order", () => {
  const body = refundBody(refund("rfd_1", 1_000, "pending"));
  expect(JSON.stringify(body)).toBe(JSON.stringify(shownRefund("rfd_1", 1_000, "pending")));
  expect(refundSchema.parse(body)).toStrictEqual(body);
});
