import { DEFAULT_PREFERENCES, type TravelPreferences } from "../passenger/events.ts";
import type { Decision, Rejection } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import type { FlightEvent, FlightPlan } from "./events.ts";

/** From the catalogue. Repeating the plan changes nothing; only fare amounts may differ from the first one. */
export interface ScheduleFlight {
  readonly type: "ScheduleFlight";
  readonly plan: FlightPlan;
}

/** A command that may add to what an account keeps without paying. */
interface BoundedByUnpaidSeats {
  /** The account's bound, in percent of the cabin's seats (docs/rules.md#unpaid-seats). Absent: none. */
  readonly unpaidSeatsPercent?: number;
}

export interface HoldSeats extends BoundedByUnpaidSeats {
  readonly type: "HoldSeats";
  readonly holdId: string;
  readonly accountId: string;
  readonly seats: readonly string[];
}

export interface ReleaseHold {
  readonly type: "ReleaseHold";
  readonly holdId: string;
  readonly accountId: string;
}

/** Records expired holds, and does nothing else. Timers send it. */
export interface ExpireHolds {
  readonly type: "ExpireHolds";
}

export interface AllocateSeats extends BoundedByUnpaidSeats {
  readonly type: "AllocateSeats";
  readonly bookingId: string;
  readonly accountId: string;
  readonly cabin: Cabin;
  /** Number of passengers. */
  readonly passengers: number;
  /**
   * One per passenger, or none: the booking then gets the seats of the hold or, without a hold, chooses seats later.
   */
  readonly seats: readonly string[];
  readonly holdId: string | null;
}

export interface ReserveSeatChange {
  readonly type: "ReserveSeatChange";
  readonly bookingId: string;
  readonly accountId: string;
  readonly changeId: string;
  /** One per passenger, in their order; if empty, the seats of the hold. */
  readonly seats: readonly string[];
  readonly holdId: string | null;
}

/** A passenger's preferences for an assigned seat. A cryosleep pod needs a journey that is long enough. */
export type PassengerSeatPreferences = Pick<TravelPreferences, "seat" | "cryosleep">;

export const NO_SEAT_PREFERENCES: PassengerSeatPreferences = {
  seat: DEFAULT_PREFERENCES.seat,
  cryosleep: DEFAULT_PREFERENCES.cryosleep,
};

/** Assigns seats to a booking that has none, by its passengers' preferences. */
export interface AssignSeats {
  readonly type: "AssignSeats";
  readonly bookingId: string;
  readonly changeId: string;
  /** One per passenger, in their order. */
  readonly preferences: readonly PassengerSeatPreferences[];
}

/** Reserves capacity in the next higher cabin for a booking, free of charge. */
export interface ReserveUpgrade extends BoundedByUnpaidSeats {
  readonly type: "ReserveUpgrade";
  readonly bookingId: string;
  readonly accountId: string;
  readonly changeId: string;
}

export interface ApplySeatChange {
  readonly type: "ApplySeatChange";
  readonly bookingId: string;
  readonly changeId: string;
}

export interface DropSeatChange {
  readonly type: "DropSeatChange";
  readonly bookingId: string;
  readonly changeId: string;
  /** The booking accepted it, and has the seats already: its hold is used, and not given back. */
  readonly usesHold?: true;
}

export interface ReleaseAllocation {
  readonly type: "ReleaseAllocation";
  readonly bookingId: string;
  /** The booking was never created: its hold is given back. */
  readonly undone?: true;
}

/** Their bookings' streams say that these are paid: they count no more as unpaid. */
export interface RecordPaidSeats {
  readonly type: "RecordPaidSeats";
  readonly bookingIds: readonly string[];
}

/** Its booking's stream says that nothing paid is kept: it counts as unpaid. */
export interface RecordRefundedSeats {
  readonly type: "RecordRefundedSeats";
  readonly bookingId: string;
}

export type FlightCommand =
  | ScheduleFlight
  | HoldSeats
  | ReleaseHold
  | ExpireHolds
  | AllocateSeats
  | ReserveSeatChange
  | AssignSeats
  | ReserveUpgrade
  | ApplySeatChange
  | DropSeatChange
  | ReleaseAllocation
  | RecordPaidSeats
  | RecordRefundedSeats;

/** The request is invalid, or does not fit this flight. */
type InvalidSeatsCode =
  | "no_seats"
  | "seat_named_twice"
  | "too_many_seats"
  | "seat_unknown"
  | "seats_span_cabins"
  | "seat_in_other_cabin"
  | "seat_count_mismatch"
  | "cabin_not_on_flight"
  | "hold_cabin_mismatch"
  /** The hold belongs to another flight. A flight knows only its own holds, so the command side checks this. */
  | "hold_flight_mismatch";

/** The seats exist, but are not available now. */
type UnavailableSeatsCode =
  | "seat_blocked"
  | "seat_taken"
  | "seat_held"
  /** Enough seats are free, but passengers booked without a seat need them. */
  | "seats_owed"
  | "cabin_sold_out"
  | "flight_departed"
  /** The account keeps too much without paying. */
  | "quota_exceeded";

/**
 * All reasons for which a flight rejects a command. Facts: `seats`, `cabin`, `problems` and counts, where they apply.
 */
export type FlightRejectionCode =
  | InvalidSeatsCode
  | UnavailableSeatsCode
  | "flight_not_found"
  | "invalid_plan"
  | "flight_plan_fixed"
  | "hold_not_found"
  | "hold_not_active"
  | "allocation_not_found"
  | "allocation_released"
  | "seat_change_open"
  /** The booking is already in the flight's highest cabin. */
  | "no_higher_cabin"
  /** The capacity suffices for the party, but other bookings' seat changes occupy seats for a moment. */
  | "seats_changing"
  | "seat_change_not_found"
  | "seat_change_not_open"
  /** Another account or booking uses the id. */
  | "id_taken";

export type FlightRejection = Rejection<FlightRejectionCode>;

export type FlightDecision = Decision<FlightEvent, FlightRejectionCode>;
