import type { Cabin } from "../shared/cabin.ts";
import type { PassengerSeatPreferences } from "./automatic-seats/passenger-seat-preferences.ts";
import type { FlightPlan } from "./events.ts";

/** From the catalogue. The same plan again changes nothing; only fare amounts may differ from the first one. */
export interface ScheduleFlight {
  readonly type: "ScheduleFlight";
  readonly plan: FlightPlan;
}

export interface HoldSeats {
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

/** A timer's command: records the holds that have lapsed, nothing else. */
export interface ExpireHolds {
  readonly type: "ExpireHolds";
}

export interface AllocateSeats {
  readonly type: "AllocateSeats";
  readonly bookingId: string;
  readonly accountId: string;
  readonly cabin: Cabin;
  /** How many travel. */
  readonly passengers: number;
  /** One per passenger, or none: then the seats of the hold, if there is one, else seats are chosen later. */
  readonly seats: readonly string[];
  readonly holdId: string | null;
}

export interface ReserveSeatChange {
  readonly type: "ReserveSeatChange";
  readonly bookingId: string;
  readonly accountId: string;
  readonly changeId: string;
  /** One per passenger, in their order; none: the seats of the hold. */
  readonly seats: readonly string[];
  readonly holdId: string | null;
}

/** Seats for a booking that has none: chosen for its passengers, by their wishes. */
export interface AssignSeats {
  readonly type: "AssignSeats";
  readonly bookingId: string;
  readonly changeId: string;
  /** One per passenger, in their order. */
  readonly preferences: readonly PassengerSeatPreferences[];
}

/** Places in the next higher cabin for a booking, free of charge. */
export interface ReserveUpgrade {
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
}

export interface ReleaseAllocation {
  readonly type: "ReleaseAllocation";
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
  | ReleaseAllocation;
