import {
  type CabinPlan,
  DAY,
  type FlightCancelled,
  type FlightEvent,
  type FlightPlan,
  type FlightReinstated,
  HOLD_DURATION,
  type Instant,
  type SeatsAllocated,
} from "../../src/index.ts";

export const NOW = Date.UTC(2027, 0, 1, 9);
export const LATER = NOW + 60_000;
export const DEPARTURE = NOW + 30 * DAY;

export const business: CabinPlan = {
  cabin: "business",
  deck: 2,
  amount: 500_000,
  currency: "USD",
  layout: "A C",
  rows: [1, 1],
  exitRows: [],
  cryosleepRows: [],
  quietRows: [],
  accessible: [],
  blocked: [],
  surcharges: [],
};

export const economy: CabinPlan = {
  cabin: "economy",
  deck: 1,
  amount: 100_000,
  currency: "USD",
  layout: "AB C",
  rows: [10, 11],
  exitRows: [11],
  cryosleepRows: [],
  quietRows: [],
  accessible: [],
  blocked: ["11B"],
  surcharges: [
    { feature: "window", amount: 2_500 },
    { feature: "exit_row", amount: 4_000 },
  ],
};

/** Business 1A 1C; economy 10A 10B 10C 11A 11C, and 11B, which is blocked. */
export const plan: FlightPlan = {
  flightId: "KP442",
  from: "LEO",
  destinationId: "kepler-442b",
  departsAt: DEPARTURE,
  durationDays: 480,
  cabins: [economy, business],
};

export const scheduled: FlightEvent = { type: "FlightScheduled", at: NOW, data: plan };

export function held(holdId: string, seats: readonly string[], at: Instant = NOW, accountId = "acc_1"): FlightEvent {
  const { cabin, amount: fareAmount } = /^1[AC]/.test(seats[0] ?? "") ? business : economy;
  return {
    type: "SeatsHeld",
    at,
    data: { holdId, accountId, cabin, seats, expiresAt: at + HOLD_DURATION, fareAmount },
  };
}

export function expired(holdId: string, at: Instant): FlightEvent {
  return { type: "SeatHoldExpired", at, data: { holdId } };
}

export function holdReleased(holdId: string, at: Instant = NOW): FlightEvent {
  return { type: "SeatHoldReleased", at, data: { holdId } };
}

const SURCHARGES: Readonly<Record<string, number>> = { "10A": 2_500, "10C": 2_500, "11A": 6_500, "11C": 6_500 };
const surchargesOf = (seats: readonly string[]) => seats.map((seat) => SURCHARGES[seat] ?? 0);

export function allocated(
  bookingId: string,
  about: Partial<SeatsAllocated["data"]> = {},
  at: Instant = NOW,
): FlightEvent {
  const seats = about.seats ?? [];
  const data = {
    bookingId,
    accountId: "acc_1",
    cabin: "economy" as const,
    passengers: seats.length,
    seats,
    holdId: null,
    fareAmount: 100_000,
    currency: "USD",
    surcharges: surchargesOf(seats),
    ...about,
  };
  return { type: "SeatsAllocated", at, data };
}

export function reserved(
  bookingId: string,
  changeId: string,
  seats: readonly string[],
  holdId: string | null = null,
  at: Instant = NOW,
): FlightEvent {
  return {
    type: "SeatChangeReserved",
    at,
    data: { bookingId, changeId, seats, surcharges: surchargesOf(seats), holdId },
  };
}

export function applied(bookingId: string, changeId: string, at: Instant = NOW): FlightEvent {
  return { type: "SeatChangeApplied", at, data: { bookingId, changeId } };
}

export function dropped(bookingId: string, changeId: string, at: Instant = NOW): FlightEvent {
  return { type: "SeatChangeDropped", at, data: { bookingId, changeId } };
}

export function allocationReleased(bookingId: string, at: Instant = NOW): FlightEvent {
  return { type: "AllocationReleased", at, data: { bookingId } };
}

/** Cancelled by the operator's decision after `revision` others. */
export function cancelledFlight(
  revision = 0,
  at: Instant = LATER,
  about: Partial<FlightCancelled["data"]> = {},
): FlightCancelled {
  const data = {
    disruptionId: "dis_1",
    revision: revision + 1,
    policy: "refund",
    reason: "engine",
    bookings: 0,
  } as const;
  return { type: "FlightCancelled", at, data: { ...data, ...about } };
}

/** Reinstated by the operator's decision after `revision` others. */
export function reinstatedFlight(
  revision = 1,
  at: Instant = LATER,
  about: Partial<FlightReinstated["data"]> = {},
): FlightReinstated {
  const data = { disruptionId: "dis_1", revision: revision + 1, reason: null, sale: "open", accounts: [] } as const;
  return { type: "FlightReinstated", at, data: { ...data, ...about } };
}
