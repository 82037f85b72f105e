import { describe, expect, test } from "@jest/globals";
import {
  emptyOccupancy,
  evolveOccupancy,
  type FlightPlan,
  type Occupancy,
  type OccupancyEvent,
} from "@travel-booking/domain";
import {
  destinationBody,
  destinationSchema,
  flightBody,
  flightSchema,
  seatHoldBody,
  seatHoldSchema,
  seatMapBody,
  seatMapSchema,
} from "../../src/index.ts";

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
  return events.reduce(evolveOccupancy, emptyOccupancy(plan));
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

  test("shows cabins, rows and seats with status and price", () => {
    const seat = (number: string, status: string, features: string[], price: number) => ({
      number,
      status,
      features,
      price,
      currency: "USD",
    });
    expect(seatMapBody(occupancy, NOW).cabins[1]).toStrictEqual({
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
    const body = seatMapBody(occupancy, NOW);
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
