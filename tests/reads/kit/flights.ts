import type { CabinPlan, DomainEvent, FlightPlan, SeatsAllocated, SeatsHeld } from "@travel-booking/domain";
import type { ReadService } from "./read-service.ts";

const BARE = { exitRows: [], cryosleepRows: [], quietRows: [], accessible: [], blocked: [], surcharges: [] } as const;

/** 10A 10B 11A, and 11B, which is blocked; exit row 11. */
const economy: CabinPlan = {
  ...BARE,
  cabin: "economy",
  deck: 1,
  amount: 100_000,
  currency: "USD",
  layout: "A B",
  rows: [10, 11],
  exitRows: [11],
  blocked: ["11B"],
  surcharges: [
    { feature: "window", amount: 2_500 },
    { feature: "exit_row", amount: 4_000 },
  ],
};

const first: CabinPlan = {
  ...BARE,
  cabin: "first",
  deck: 2,
  amount: 900_000,
  currency: "USD",
  layout: "A",
  rows: [1, 1],
};

function planOf(flightId: string, destinationId: string, departsAt: number): FlightPlan {
  return { flightId, from: "LEO", destinationId, departsAt, durationDays: 480.5, cabins: [first, economy] };
}

export async function schedule(
  service: ReadService,
  flightId: string,
  departsAt: string,
  destinationId = "kepler",
): Promise<void> {
  const data = planOf(flightId, destinationId, Date.parse(departsAt));
  await service.record(`flight-${flightId}`, { type: "FlightScheduled", at: service.clock.now(), data });
}

/** The flight departs then instead, by the n-th decision of operators. */
export async function retime(service: ReadService, flightId: string, departsAt: string, revision = 1): Promise<void> {
  const decided = { disruptionId: `dis_${flightId}_${revision}`, revision, reason: null, bookings: 0, accounts: [] };
  const data = {
    ...decided,
    departsAt: Date.parse(departsAt),
    durationDays: 480.5,
    tolerance: { earlier: 0, later: 0 },
  };
  await service.record(`flight-${flightId}`, { type: "FlightRetimed", at: service.clock.now(), data });
}

export function held(at: number, holdId: string, seats: readonly string[], expiresAt: number): DomainEvent {
  const data: SeatsHeld["data"] = { holdId, accountId: "acc_1", cabin: "economy", seats, expiresAt };
  return { type: "SeatsHeld", at, data };
}

export function allocated(at: number, bookingId: string, seats: readonly string[]): DomainEvent {
  const money = { fareAmount: 100_000, currency: "USD", surcharges: seats.map(() => 2_500) };
  const data: SeatsAllocated["data"] = {
    ...money,
    bookingId,
    accountId: "acc_1",
    cabin: "economy",
    passengers: 1,
    seats,
    holdId: null,
  };
  return { type: "SeatsAllocated", at, data };
}

/** A flight as it is shown with so many seats of the economy left. */
export function shown(id: string, departsAt: string, economyLeft = 3, destinationId = "kepler") {
  const fares = [
    { cabin: "economy", amount: 100_000, currency: "USD", seatsLeft: economyLeft },
    { cabin: "first", amount: 900_000, currency: "USD", seatsLeft: 1 },
  ];
  return { id, from: "LEO", destinationId, departsAt: new Date(departsAt).toISOString(), durationDays: 480.5, fares };
}
