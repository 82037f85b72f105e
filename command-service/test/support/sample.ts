import { type CabinPlan, DAY, type FlightPlan, HOUR } from "@travel-booking/domain";

/** A Monday. */
export const T0 = Date.parse("2027-01-04T10:00:00Z");

export const ADA = "acc_ada";
export const BOB = "acc_bob";
export const FLIGHT = "KP442";
export const DEPARTS_AT = T0 + 30 * DAY;
/** A flight that leaves in thirty hours. */
export const SOON = "KP443";

/** Dinars earn more. */
export const LOYALTY_RATES = new Map([
  ["USD", 1],
  ["KWD", 3],
]);

export const BANK = { iban: "DE89370400440532013000", bic: "COBADEFFXXX" };

export const economy: CabinPlan = {
  cabin: "economy",
  deck: 1,
  amount: 100_000,
  currency: "USD",
  layout: "A B",
  rows: [10, 12],
  exitRows: [11],
  cryosleepRows: [],
  quietRows: [],
  accessible: [],
  blocked: ["12B"],
  surcharges: [{ feature: "exit_row", amount: 4_000 }],
};

export const business: CabinPlan = {
  ...economy,
  cabin: "business",
  amount: 0,
  rows: [1, 1],
  exitRows: [1],
  blocked: [],
};

/** Economy 10A 10B 11A 11B 12A; 11A and 11B cost 4,000 more. Business 1A 1B, 4,000 each. */
export const plan: FlightPlan = {
  flightId: FLIGHT,
  from: "LEO",
  destinationId: "kepler-442b",
  departsAt: DEPARTS_AT,
  durationDays: 480,
  cabins: [economy, business],
};

export const soonPlan: FlightPlan = { ...plan, flightId: SOON, departsAt: T0 + 30 * HOUR };

export function party(size: number): readonly { readonly name: string; readonly email: string }[] {
  return Array.from({ length: size }, (_, index) => ({ name: `Passenger ${index}`, email: `p${index}@example.com` }));
}
