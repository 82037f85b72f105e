import { describe, expect, test } from "@jest/globals";
import type { BookingBody, PaymentBody } from "@travel-booking/api-contract";
import type { LedgerEntry } from "@travel-booking/payment-gateway/sandbox";
import { seatsAstray } from "../../support/seats-astray.ts";
import { differences, lost, moneyAstray, undelivered } from "../audit/findings.ts";

const BOOKING: BookingBody = {
  id: "bkg_1",
  status: "confirmed",
  cabin: "economy",
  flightId: "SO-1",
  passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
  totalAmount: 1_000,
  currency: "USD",
  documents: [],
  seats: ["10A"],
  createdAt: "2026-11-01T00:00:00Z",
};

const REFUND = { id: "rfd_1", paymentId: "pay_1", amount: 300, currency: "USD", status: "pending" } as const;

const PAYMENT: PaymentBody = {
  id: "pay_1",
  bookingId: "bkg_1",
  status: "succeeded",
  failureCode: null,
  failureMessage: null,
  amount: 1_000,
  amountRefunded: 300,
  currency: "USD",
  method: {
    type: "card",
    card: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2099 },
    wallet: null,
    bankTransfer: null,
  },
  metadata: {},
  refunds: [{ ...REFUND, reason: "other", createdAt: "2026-11-01T00:00:00Z" }],
  createdAt: "2026-11-01T00:00:00Z",
};

const CHARGED = {
  kind: "charged",
  paymentId: "pay_1",
  amount: 1_000,
  currency: "USD",
  outcome: { status: "succeeded" },
  refunds: [{ refundId: "rfd_1", amount: 300 }],
} as const;

const byId = (...things: readonly { readonly id: string }[]) => new Map(things.map((thing) => [thing.id, thing]));

describe("what was acknowledged", () => {
  test("is found where it is there as it was told, refunds settled meanwhile", () => {
    const settled = { ...PAYMENT, refunds: PAYMENT.refunds.map((refund) => ({ ...refund, status: "succeeded" })) };
    expect(lost(byId(BOOKING, PAYMENT), byId(BOOKING, settled))).toStrictEqual([]);
  });

  test("is missed where it is not there", () => {
    expect(lost(byId(BOOKING, PAYMENT), byId(PAYMENT))).toStrictEqual(["bkg_1 was acknowledged and is not there"]);
  });

  test.each([
    ["another field", { ...BOOKING, reference: "other" }],
    ["another status", { ...BOOKING, status: "pending" }],
  ])("is missed where it has %s", (_, found) => {
    expect(lost(byId(BOOKING), byId(found))).toHaveLength(1);
  });
});

describe("money", () => {
  const ledgerOf = (entry: LedgerEntry) => new Map([[entry.paymentId, entry]]);

  test("adds up", () => {
    expect(moneyAstray([BOOKING], [PAYMENT], ledgerOf(CHARGED))).toStrictEqual([]);
  });

  test.each<[string, BookingBody, readonly PaymentBody[], LedgerEntry, readonly string[]]>([
    ["charged otherwise", BOOKING, [PAYMENT], { ...CHARGED, amount: 999 }, ["pay_1: 999 charged, 1000 paid"]],
    ["never returned", BOOKING, [PAYMENT], { ...CHARGED, refunds: [] }, ["pay_1: 0 returned, 300 refunded"]],
    [
      "charged and not paid",
      { ...BOOKING, status: "pending" },
      [{ ...PAYMENT, status: "failed", amountRefunded: 300 }],
      CHARGED,
      ["pay_1: 1000 charged, 0 paid"],
    ],
    ["not paid", BOOKING, [], CHARGED, ["bkg_1 is confirmed for 1000, and paid with nothing"]],
    ["kept", { ...BOOKING, status: "cancelled" }, [PAYMENT], CHARGED, ["bkg_1 is cancelled, and 700 of it were kept"]],
    ["not counted", { ...BOOKING, status: "pending" }, [PAYMENT], CHARGED, ["bkg_1 is pending, and paid with 1000"]],
  ])("that was %s is found", (_, booking, payments, entry, findings) => {
    expect(moneyAstray([booking], payments, ledgerOf(entry))).toStrictEqual(findings);
  });
});

describe("deliveries", () => {
  const expected = new Map([["bkg_1", ["evt_1", "evt_2"]]]);
  const heard = (...ids: readonly string[]) => undelivered("good", expected, new Map([["bkg_1", ids]]));

  test("may come twice", () => {
    expect(heard("evt_1", "evt_1", "evt_2", "evt_1")).toStrictEqual([]);
  });

  test("are missed, in another order, or of nothing that happened", () => {
    expect(heard("evt_1")).toStrictEqual(["good: of bkg_1 it was told evt_1 instead of evt_1,evt_2"]);
    expect(heard("evt_2", "evt_1")).toStrictEqual(["good: of bkg_1 it was told evt_2,evt_1 instead of evt_1,evt_2"]);
    const invented = new Map([...expected, ["bkg_2", ["evt_3"]]]);
    expect(undelivered("good", expected, invented)).toStrictEqual(["good: it was told of bkg_2, which has no events"]);
  });
});

test("seats are counted: sold twice, kept by nobody, or right", () => {
  const flight = (seatsLeft: number) => [{ id: "SO-1", fares: [{ cabin: "economy", seatsLeft }] }];
  const astray = (seatsLeft: number) => [...seatsAstray(flight(seatsLeft), { economy: 10 }, [BOOKING])];
  expect(astray(9)).toStrictEqual([]);
  expect(astray(10)).toStrictEqual([["SO-1 economy", -1]]);
  expect(astray(8)).toStrictEqual([["SO-1 economy", 1]]);
});

test("read models differ from a rebuild where a document is another, missing or too much", () => {
  const before = new Map(Object.entries({ same: "1", other: "1", gone: "1" }));
  const after = new Map(Object.entries({ same: "1", other: "2", fresh: "1" }));
  expect(differences(before, after)).toStrictEqual([
    "other is not what a rebuild makes of it: 1 instead of 2",
    "gone is not what a rebuild makes of it: 1 instead of undefined",
    "fresh is not what a rebuild makes of it: undefined instead of 1",
  ]);
});
