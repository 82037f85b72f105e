import type { CabinPlan } from "./cabin-plan.ts";

/**
 * What becomes of those who have paid: their money goes back at once; or when they ask for it or have said nothing for long; or they
 * are moved to another flight.
 */
export const DISRUPTION_POLICIES = ["refund", "offer", "move"] as const;
export type DisruptionPolicy = (typeof DISRUPTION_POLICIES)[number];

export interface FlightTimes {
  /** In milliseconds since 1970. */
  readonly departsAt: number;
  readonly durationDays: number;
}

interface Change {
  /** A reinstatement has that of the cancellation which it takes back. */
  readonly disruptionId: string;
  /** Of the flight after it. */
  readonly revision: number;
  readonly reason: string | null;
  /** When it was decided, in milliseconds since 1970. */
  readonly at: number;
}

export interface Cancellation extends Change {
  readonly kind: "cancelled";
  readonly policy: DisruptionPolicy;
  /** The flights that take over who has paid, or may be offered, in this order. Absent: none. */
  readonly into?: readonly string[];
  readonly before: FlightTimes;
  readonly after: null;
}

/** The flight departs after all. */
export interface Reinstatement extends Change {
  readonly kind: "reinstated";
  readonly before: null;
  readonly after: FlightTimes;
}

/** Beyond this another departure is significant (docs/rules.md#retimed-flights). In milliseconds. */
export interface Tolerance {
  /** More than this earlier. */
  readonly earlier: number;
  /** This much later, or more; the arrival, too. */
  readonly later: number;
}

export interface Retiming extends Change {
  readonly kind: "retimed";
  readonly tolerance: Tolerance;
  readonly before: FlightTimes;
  readonly after: FlightTimes;
}

/** Where a booking sits on another ship, in its cabin; no seats: it gets some later. */
export interface Reseated {
  readonly bookingId: string;
  readonly seats: readonly string[];
  /** It has no place: its cabin has too few seats, or is not on the ship. */
  readonly overfull?: true;
}

/** The flight goes with another ship. */
export interface EquipmentChange extends Change {
  readonly kind: "equipment_changed";
  readonly before: FlightTimes & Ship;
  readonly after: FlightTimes & Ship;
  /** The bookings whose seats change, and all that have no place. */
  readonly reseated: readonly Reseated[];
}

export interface Ship {
  readonly cabins: readonly CabinPlan[];
}

/** What a booking has to know to follow its flight. */
export type FlightChange = Cancellation | Reinstatement | Retiming | EquipmentChange;

/** A change that bookings have a case of. */
export type DisruptionKind = Exclude<FlightChange["kind"], "reinstated">;

/** Finds what has happened to a disrupted flight, oldest first; empty: nothing that anybody knows of. */
export type FlightNews = (flightId: string) => readonly FlightChange[];
