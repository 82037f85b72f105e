import { describe, expect, test } from "@jest/globals";
import {
  type ConfirmedBooking,
  evolveOccupancy,
  type FlightPlan,
  Occupancy,
  type OccupancyEvent,
  PAYMENT_FAILURE_CODES,
  type Payment,
  type Refund,
} from "@travel-booking/domain";
import {
  bookingBody,
  bookingSchema,
  cabinBody,
  destinationBody,
  destinationSchema,
  failureMessage,
  flightBody,
  flightSchema,
  paymentBody,
  paymentSchema,
  refundBody,
  refundSchema,
  seatHoldBody,
  seatHoldSchema,
  seatMapSchema,
  seatRows,
} from "../src/index.ts";

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
  attempt: 1,
  checks: 0,
  failure: null,
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
  disputes: [],
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
  pointsRate: { points: 1, per: 100 },
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

const NOW = Date.UTC(2027, 0, 1);
const EXPIRES = NOW + 900_000;
const cabin = {
  deck: 1,
  currency: "USD",
  exitRows: [],
  cryosleepRows: [],
  quietRows: [],
  accessible: [],
  blocked: [],
  surcharges: [],
};
const plan: FlightPlan = {
  flightId: "KP442-20270301",
  from: "LEO",
  destinationId: "kepler-442b",
  departsAt: Date.UTC(2027, 2, 1, 9),
  durationDays: 480,
  cabins: [
    { ...cabin, cabin: "first", amount: 900, layout: "A D", rows: [1, 1] },
    {
      ...cabin,
      cabin: "economy",
      amount: 100,
      layout: "AB C",
      rows: [10, 11],
      blocked: ["11C"],
      surcharges: [
        { feature: "window", amount: 5 },
        { feature: "bulkhead", amount: 7 },
      ],
    },
    { ...cabin, cabin: "business", amount: 900, layout: "A", rows: [5, 5] },
  ],
};
const hold = { holdId: "hld_1", accountId: "acc_1", cabin: "economy", seats: ["10B"], expiresAt: EXPIRES } as const;

function occupancyAfter(...events: readonly OccupancyEvent[]): Occupancy {
  return events.reduce(evolveOccupancy, new Occupancy(plan));
}

const booked: OccupancyEvent = {
  type: "SeatsAllocated",
  at: NOW,
  data: {
    bookingId: "bkg_1",
    accountId: "acc_1",
    cabin: "economy",
    passengers: 1,
    seats: ["10A"],
    holdId: null,
    fareAmount: 100,
    currency: "USD",
    surcharges: [12],
  },
};

describe("flight", () => {
  const occupancy = occupancyAfter({ type: "SeatsHeld", at: NOW, data: hold }, booked);

  test("shows its fares cheapest first, with what is left at that moment", () => {
    expect(JSON.stringify(flightBody(occupancy, NOW))).toBe(
      JSON.stringify({
        id: "KP442-20270301",
        from: "LEO",
        destinationId: "kepler-442b",
        departsAt: "2027-03-01T09:00:00.000Z",
        durationDays: 480,
        fares: [
          { cabin: "economy", amount: 100, currency: "USD", seatsLeft: 3 },
          { cabin: "business", amount: 900, currency: "USD", seatsLeft: 1 },
          { cabin: "first", amount: 900, currency: "USD", seatsLeft: 2 },
        ],
      }),
    );
  });

  test("a hold past its time holds nothing", () => {
    expect(flightBody(occupancy, EXPIRES).fares[0]?.seatsLeft).toBe(4);
  });

  test("keeps to the published shape", () => {
    const body = flightBody(occupancy, NOW);
    expect(flightSchema.parse(body)).toStrictEqual(body);
  });
});

describe("seat map", () => {
  const occupancy = occupancyAfter({ type: "SeatsHeld", at: NOW, data: hold }, booked);
  const { flightId, cabins: plans } = occupancy.plan;
  const cabins = plans.map((plan) => ({ ...cabinBody(plan), rows: [...seatRows(occupancy, plan, NOW)] }));

  test("shows cabins, rows and seats with status and price", () => {
    const seat = (number: string, status: string, features: string[], price: number) => ({
      number,
      status,
      features,
      price,
      currency: "USD",
    });
    expect(cabins[1]).toStrictEqual({
      cabin: "economy",
      deck: 1,
      columns: ["A", "B", "C"],
      aisles: [2],
      rows: [
        {
          number: 10,
          seats: [
            seat("10A", "booked", ["window", "bulkhead"], 12),
            seat("10B", "held", ["aisle", "bulkhead"], 7),
            seat("10C", "available", ["window", "aisle", "bulkhead"], 12),
          ],
        },
        {
          number: 11,
          seats: [
            seat("11A", "available", ["window"], 5),
            seat("11B", "available", ["aisle"], 0),
            seat("11C", "blocked", ["window", "aisle"], 5),
          ],
        },
      ],
    });
  });

  test("keeps to the published shape", () => {
    const body = { flightId, cabins };
    expect(body.cabins.map((it) => it.cabin)).toStrictEqual(["first", "economy", "business"]);
    expect(seatMapSchema.parse(body)).toStrictEqual(body);
  });
});

test.each([
  ["active", EXPIRES - 1, "active"],
  ["active", EXPIRES, "expired"],
  ["used", EXPIRES, "used"],
  ["released", NOW, "released"],
] as const)("a hold recorded as %s reads, at %d, as %s", (status, at, shown) => {
  const body = seatHoldBody("KP442-20270301", { ...hold, createdAt: NOW, status }, at);
  expect(JSON.stringify(body)).toBe(
    JSON.stringify({
      id: "hld_1",
      flightId: "KP442-20270301",
      cabin: "economy",
      seats: ["10B"],
      status: shown,
      createdAt: "2027-01-01T00:00:00.000Z",
      expiresAt: "2027-01-01T00:15:00.000Z",
    }),
  );
  expect(seatHoldSchema.parse(body)).toStrictEqual(body);
});

test("a destination shows exactly its fields", () => {
  const destination = {
    id: "ross-128-b",
    name: "Ross 128 b",
    system: "Ross 128",
    distanceLy: 11,
    gravity: 1.1,
    climate: "arid",
  } as const;
  expect(destinationBody({ ...destination, more: 1 } as typeof destination)).toStrictEqual(destination);
  expect(destinationSchema.parse(destinationBody(destination))).toStrictEqual(destination);
});
