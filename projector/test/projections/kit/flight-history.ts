import {
  type CabinPlan,
  DAY,
  type FlightEvent,
  type FlightPlan,
  MINUTE,
  type SeatsAllocated,
} from "@travel-booking/domain";
import type { GivenEvent } from "./deliver.ts";

export const T0 = Date.UTC(2027, 0, 1, 9);
export const HOLD_EXPIRES_AT = T0 + 15 * MINUTE;

const BARE = { exitRows: [], cryosleepRows: [], quietRows: [], accessible: [], blocked: [], surcharges: [] } as const;

/** Four seats, one of them blocked. */
const economy: CabinPlan = {
  ...BARE,
  cabin: "economy",
  deck: 1,
  amount: 100_000,
  currency: "USD",
  layout: "A B",
  rows: [10, 11],
  blocked: ["11B"],
  surcharges: [{ feature: "window", amount: 2_500 }],
};

const business: CabinPlan = {
  ...BARE,
  cabin: "business",
  deck: 2,
  amount: 500_000,
  currency: "USD",
  layout: "A C",
  rows: [1, 1],
};

export function planOf(flightId: string, destinationId: string, departsAt: number): FlightPlan {
  return { flightId, from: "LEO", destinationId, departsAt, durationDays: 480, cabins: [business, economy] };
}

export function onFlight(flightId: string, event: FlightEvent): GivenEvent {
  return [`flight-${flightId}`, event];
}

export function scheduled(flightId: string, destinationId = "kepler", departsAt = T0 + 30 * DAY): GivenEvent {
  return onFlight(flightId, { type: "FlightScheduled", at: T0, data: planOf(flightId, destinationId, departsAt) });
}

export function held(flightId: string, holdId: string, seats: readonly string[], at = T0): GivenEvent {
  const data = { holdId, accountId: "acc_1", cabin: "economy", seats, expiresAt: at + 15 * MINUTE } as const;
  return onFlight(flightId, { type: "SeatsHeld", at, data });
}

export function allocated(
  flightId: string,
  bookingId: string,
  changes: Partial<SeatsAllocated["data"]> = {},
): GivenEvent {
  const data: SeatsAllocated["data"] = {
    bookingId,
    accountId: "acc_1",
    cabin: "economy",
    passengers: 1,
    seats: [],
    holdId: null,
    fareAmount: 100_000,
    currency: "USD",
    surcharges: [],
    ...changes,
  };
  return onFlight(flightId, { type: "SeatsAllocated", at: T0 + 1, data });
}

export function released(flightId: string, bookingId: string): GivenEvent {
  return onFlight(flightId, { type: "AllocationReleased", at: T0 + 2, data: { bookingId } });
}

export function fareChanged(flightId: string, amount: number): GivenEvent {
  return onFlight(flightId, { type: "FareChanged", at: T0 + 3, data: { cabin: "economy", amount } });
}
