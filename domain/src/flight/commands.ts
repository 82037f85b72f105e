import { DEFAULT_PREFERENCES, type TravelPreferences } from "../passenger/events.ts";
import type { Command, Decision, Handlers, Instant, Rejection } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import type {
  AllocationReleased,
  DisruptionEnded,
  DisruptionPaused,
  EquipmentChanged,
  FareChanged,
  FlightCancelled,
  FlightEvent,
  FlightPlan,
  FlightRetimed,
  SalesClosed,
  SeatBlocked,
  SeatChangeApplied,
  SeatChangeDropped,
  SeatChangeReserved,
  SeatsAllocated,
  SeatsHeld,
  SeatsPaid,
  SeatsRefunded,
  SeatsRefundUndone,
} from "./events.ts";
import type { Seat } from "./seat-layout.ts";
import type { ScheduledFlight } from "./state.ts";

/** From the catalogue. Repeating the plan changes nothing. Only fare amounts may differ from the first plan. */
export type ScheduleFlight = Command<"ScheduleFlight", { readonly plan: FlightPlan }>;

/** A command that may add to the unpaid seats of an account. */
interface BoundedByUnpaidSeats {
  readonly accountId: string;
  /** The account's limit, in percent of the cabin's seats (docs/rules.md#unpaid-seats). Absent: none. */
  readonly unpaidSeatsPercent?: number;
}

export type HoldSeats = Command<"HoldSeats", BoundedByUnpaidSeats & Pick<SeatsHeld["data"], "holdId" | "seats">>;

type ReleaseHold = Command<"ReleaseHold", Pick<SeatsHeld["data"], "holdId" | "accountId">>;

/** Only records expired holds. Sent by timers. */
type ExpireHolds = Command<"ExpireHolds">;

/**
 * `seats`: one per passenger, or none. Without them the booking gets the hold's seats, or without a hold chooses seats
 * later.
 */
export type AllocateSeats = Command<
  "AllocateSeats",
  BoundedByUnpaidSeats &
    Omit<SeatsAllocated["data"], "fareAmount" | "currency" | "surcharges" | "flightRevision" | "moveId">
>;

/** What another flight needs to know to take a booking over. */
export interface Mover
  extends Pick<SeatsAllocated["data"], "bookingId" | "accountId" | "cabin" | "passengers" | "currency"> {
  readonly from: string;
  readonly destinationId: string;
  /** Its present seats, which it keeps where it can. */
  readonly keep: readonly Pick<Seat, "number" | "features">[];
}

/**
 * Gives a booking of another flight places beside those that it has there, until it has decided. `seats` and `holdId`: as for a new
 * booking; without them it keeps its present seats, if it has any and all are free.
 */
export type AllocateMove = Command<
  "AllocateMove",
  Mover &
    Pick<SeatsAllocated["data"], "seats" | "holdId"> & {
      readonly moveId: string;
      /** True: nothing is allocated, it is only asked whether there is room. */
      readonly onlyAsked?: true;
      /** Present if the client has asked for it. `paid`: cents for its present seats; others cost no more. */
      readonly asked?: { readonly agreed: Instant; readonly paid: number };
    }
>;

/** `seats`: one per passenger, in their order; if empty, the seats of the hold. */
export type ReserveSeatChange = Command<
  "ReserveSeatChange",
  { readonly accountId: string } & Pick<SeatChangeReserved["data"], "bookingId" | "changeId" | "seats" | "holdId">
>;

/** A passenger's preferences for an assigned seat. A cryosleep pod needs a journey that is long enough. */
export type PassengerSeatPreferences = Pick<TravelPreferences, "seat" | "cryosleep">;

export const NO_SEAT_PREFERENCES: PassengerSeatPreferences = {
  seat: DEFAULT_PREFERENCES.seat,
  cryosleep: DEFAULT_PREFERENCES.cryosleep,
};

type OfChange = Pick<SeatChangeReserved["data"], "bookingId" | "changeId">;

/** Assigns seats to a booking that has none, by its passengers' preferences: one per passenger, in their order. */
export type AssignSeats = Command<
  "AssignSeats",
  OfChange & { readonly preferences: readonly PassengerSeatPreferences[] }
>;

/** Reserves capacity in the next higher cabin for a booking, free of charge. */
export type ReserveUpgrade = Command<"ReserveUpgrade", BoundedByUnpaidSeats & OfChange>;

/** Reserves capacity in another cabin for a booking that has no place in its own. */
type ReserveCabin = Command<"ReserveCabin", { readonly accountId: string; readonly cabin: Cabin } & OfChange>;

type ApplySeatChange = Command<"ApplySeatChange", SeatChangeApplied["data"]>;

/** `usesHold`: the booking accepted the change but already has the seats, so its hold is used up and not given back. */
type DropSeatChange = Command<"DropSeatChange", SeatChangeDropped["data"] & { readonly usesHold?: true }>;

/**
 * `undone`: the booking was never created, or not moved here, so its hold is given back. With `moveId`: only the places that it got by
 * the move `placedBy`, or when it was made.
 */
type ReleaseAllocation = Command<
  "ReleaseAllocation",
  AllocationReleased["data"] & { readonly undone?: true; readonly placedBy?: string | undefined }
>;

/** These bookings are paid, by their own streams, so that they no longer count as unpaid. */
type RecordPaidSeats = Command<"RecordPaidSeats", Omit<SeatsPaid["data"], "revocable">>;

/** Refunds leave less than half of a booking: it counts as unpaid. */
type RecordRefundedSeats = Command<"RecordRefundedSeats", BoundedByUnpaidSeats & SeatsRefunded["data"]>;

/** The booking was closed against a refund that its flight has counted. */
type UndoRefundedSeats = Command<"UndoRefundedSeats", SeatsRefundUndone["data"]>;

/** From an operator. Later commands, and imports with another fare, change it again. */
type ChangeFare = Command<"ChangeFare", FareChanged["data"]>;

/** From an operator. */
type BlockSeat = Command<"BlockSeat", Omit<SeatBlocked["data"], "cabin">>;

type UnblockSeat = Command<"UnblockSeat", { readonly seat: string }>;

/** An operator's decision on the flight as it was planned: `revision` is the one before it. */
type CloseSales = Command<"CloseSales", SalesClosed["data"]>;

type OpenSales = Command<"OpenSales", SalesClosed["data"]>;

type CancelFlight = Command<"CancelFlight", Omit<FlightCancelled["data"], "bookings">>;

/** Takes the last cancellation back. */
type ReinstateFlight = Command<"ReinstateFlight", Pick<FlightCancelled["data"], "revision" | "reason">>;

/** `durationDays` absent: as before. */
type RetimeFlight = Command<
  "RetimeFlight",
  Pick<FlightRetimed["data"], "disruptionId" | "revision" | "reason" | "departsAt" | "tolerance"> &
    Partial<Pick<FlightRetimed["data"], "durationDays">>
>;

/** `confirmed`: of the bookings on board, the earliest first. */
type ChangeEquipment = Command<
  "ChangeEquipment",
  Pick<EquipmentChanged["data"], "disruptionId" | "revision" | "reason" | "cabins"> & {
    readonly confirmed: readonly string[];
  }
>;

type PauseDisruption = Command<"PauseDisruption", DisruptionPaused["data"]>;

type ResumeDisruption = Command<"ResumeDisruption", DisruptionPaused["data"]>;

/** Sent by the sweep, with the revision of the last change that it knew of. */
type EndDisruption = Command<"EndDisruption", DisruptionEnded["data"] & { readonly revision: number }>;

export type OperatorDecisionCommand =
  | CloseSales
  | OpenSales
  | CancelFlight
  | ReinstateFlight
  | RetimeFlight
  | ChangeEquipment;

type DisruptionCommand = OperatorDecisionCommand | PauseDisruption | ResumeDisruption | EndDisruption;

export type FlightCommand =
  | ScheduleFlight
  | HoldSeats
  | ReleaseHold
  | ExpireHolds
  | AllocateSeats
  | AllocateMove
  | ReserveSeatChange
  | AssignSeats
  | ReserveUpgrade
  | ReserveCabin
  | ApplySeatChange
  | DropSeatChange
  | ReleaseAllocation
  | RecordPaidSeats
  | RecordRefundedSeats
  | UndoRefundedSeats
  | ChangeFare
  | BlockSeat
  | UnblockSeat
  | DisruptionCommand;

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
  /** A booking can't move here: the flight goes elsewhere, or at quite another time. */
  | "rebook_not_allowed"
  /** The seats cost more than what was paid for seats. */
  | "seat_price_fixed"
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
  /** There is no room for a booking that would move here. */
  | "flight_sold_out"
  | "flight_departed"
  | "flight_cancelled"
  | "sales_closed"
  /** The account keeps too much without paying. */
  | "quota_exceeded";

/** The reasons for which a flight rejects a command. Facts: `seats`, `cabin`, `problems` and counts, if they apply. */
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
  /** The booking has a place where it is. */
  | "has_place"
  /** The booking is already in the flight's highest cabin. */
  | "no_higher_cabin"
  /** The capacity suffices for the party, but other bookings' seat changes occupy seats for a moment. */
  | "seats_changing"
  | "seat_change_not_found"
  | "seat_change_not_open"
  /** An operator has decided something else since the plan was made. */
  | "flight_revision_changed"
  | "sales_are_open"
  | "too_many_decisions"
  | "disruption_not_found"
  | "disruption_not_running"
  /** Its sweep has to be paused first. */
  | "disruption_running"
  | "flight_not_cancelled"
  /** The flight departs then anyway, and takes as long. */
  | "times_unchanged"
  | "departs_too_soon"
  /** The ship has the same cabins already, apart from their fares. */
  | "equipment_unchanged"
  /** A cabin has another currency than those who are booked in it have paid in. */
  | "currency_changed"
  /** More than fits into one append. */
  | "too_many_seats_change"
  /** Another account or booking uses the id. */
  | "id_taken";

export type FlightRejection = Rejection<FlightRejectionCode>;

export type FlightDecision = Decision<FlightEvent, FlightRejectionCode>;

/** Decides each command on a flight that is for sale. */
export type FlightHandlers = Handlers<FlightCommand, [flight: ScheduledFlight, at: Instant], FlightDecision>;
