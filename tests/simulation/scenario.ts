import { type CabinPlan, DAY, type FlightPlan, HOUR } from "@travel-booking/domain";
import type { Sold } from "./audit/sold.ts";

/** A Monday. */
export const T0 = Date.parse("2027-01-04T10:00:00Z");

export const ACCOUNTS = ["acc_ada", "acc_bob", "acc_eve"] as const;
/** What each account has to spend from the beginning. */
export const INITIAL_POINTS = 60_000;
export const LOYALTY_RATES = new Map([
  ["USD", 1],
  ["KWD", 7],
]);

const bare = {
  layout: "A B",
  cryosleepRows: [],
  quietRows: [],
  accessible: [],
} as const;

const economy: Omit<CabinPlan, "currency"> = {
  ...bare,
  cabin: "economy",
  deck: 1,
  amount: 100_000,
  rows: [10, 12],
  exitRows: [11],
  blocked: ["12B"],
  surcharges: [{ feature: "exit_row", amount: 4_000 }],
};

/** Whoever sits in the second row pays nothing at all. */
const business: Omit<CabinPlan, "currency"> = {
  ...bare,
  cabin: "business",
  deck: 2,
  amount: 0,
  rows: [1, 2],
  exitRows: [],
  blocked: [],
  surcharges: [{ feature: "bulkhead", amount: 9_000 }],
};

/** It has neither a better class nor an exit row. */
const small: readonly Omit<CabinPlan, "currency">[] = [
  { ...economy, rows: [10, 11], exitRows: [], blocked: [], surcharges: [] },
];

function flight(flightId: string, departsAt: number, currency: string): FlightPlan {
  const cabins = [economy, business].map((cabin) => ({ ...cabin, currency }));
  return { flightId, from: "LEO", destinationId: "kepler-442b", departsAt, durationDays: 480, cabins };
}

/**
 * One far away, and one a week later that takes bookings of it over; one too near for a bank transfer and soon too near for a
 * refund, in a currency that no credit is in.
 */
export const FLIGHTS: readonly FlightPlan[] = [
  flight("FAR", T0 + 30 * DAY, "USD"),
  flight("LATER", T0 + 37 * DAY, "USD"),
  flight("NEAR", T0 + 30 * HOUR, "KWD"),
];

/** The same again as a table written by hand, so that an audit need not trust the plan's reading. Cents, or fils. */
export const SEATS = {
  economy: { fare: 100_000, surcharges: { "10A": 0, "10B": 0, "11A": 4_000, "11B": 4_000, "12A": 0 } },
  business: { fare: 0, surcharges: { "1A": 9_000, "1B": 9_000, "2A": 0, "2B": 0 } },
} as const;

/** The ships that a flight may go with. */
export function shipsOf(flightId: string): readonly (readonly CabinPlan[])[] {
  const own = FLIGHTS.find((one) => one.flightId === flightId)?.cabins ?? [];
  const currency = own[0]?.currency ?? "USD";
  return [own, small.map((cabin) => ({ ...cabin, currency }))];
}

export type SoldCabin = keyof typeof SEATS;

export const SOLD: Sold = {
  cabins: SEATS,
  otherShip: { economy: { fare: 100_000, surcharges: { "10A": 0, "10B": 0, "11A": 0, "11B": 0 } } },
};
