import type { CabinPlan } from "../shared/cabin-plan.ts";
import type { DomainEvent, Instant } from "../shared/decision.ts";
import type { DisruptionPolicy, FlightTimes, Reseated, Tolerance } from "../shared/flight-change.ts";
import type { Cabin } from "../shared/values.ts";

export interface FlightPlan {
  readonly flightId: string;
  readonly from: string;
  readonly destinationId: string;
  readonly departsAt: Instant;
  readonly durationDays: number;
  readonly cabins: readonly CabinPlan[];
}

export type FlightScheduled = DomainEvent<"FlightScheduled", FlightPlan>;

export type FareChanged = DomainEvent<"FareChanged", { readonly cabin: Cabin; readonly amount: number }>;

/**
 * Recorded again, unchanged, for a hold that is given back (docs/rules.md#holds-given-back). `fareAmount`: cents for
 * one passenger in its cabin. A booking from the hold costs no more. Absent in holds of a former release.
 */
export type SeatsHeld = DomainEvent<
  "SeatsHeld",
  {
    readonly holdId: string;
    readonly accountId: string;
    readonly cabin: Cabin;
    readonly seats: readonly string[];
    readonly expiresAt: Instant;
    readonly fareAmount?: number;
  }
>;

export type SeatHoldReleased = DomainEvent<"SeatHoldReleased", { readonly holdId: string }>;

export type SeatHoldExpired = DomainEvent<"SeatHoldExpired", { readonly holdId: string }>;

/**
 * Capacity for a booking, one per passenger, and its chosen seats (none, or one per passenger). Uses up the named hold,
 * if any, and frees its unchosen seats. The event fixes the price, because only the flight knows fare and surcharges at
 * that moment.
 */
export type SeatsAllocated = DomainEvent<
  "SeatsAllocated",
  {
    readonly bookingId: string;
    readonly accountId: string;
    readonly cabin: Cabin;
    readonly passengers: number;
    readonly seats: readonly string[];
    readonly holdId: string | null;
    /** Cents for one passenger. */
    readonly fareAmount: number;
    readonly currency: string;
    /** Cents, one per chosen seat, in the order of `seats`. */
    readonly surcharges: readonly number[];
    /** How often an operator has decided on the flight by then. Absent: never. */
    readonly flightRevision?: number;
    /** Present if the booking has its places on another flight, until it takes these under this id. */
    readonly moveId?: string;
  }
>;

/**
 * Reserves new seats in addition to the old ones until the booking has decided. A passenger's old and new seat together
 * count once against the capacity. A booking has at most one open change.
 */
export type SeatChangeReserved = DomainEvent<
  "SeatChangeReserved",
  {
    readonly bookingId: string;
    readonly changeId: string;
    readonly seats: readonly string[];
    /** Cents, one per seat. */
    readonly surcharges: readonly number[];
    readonly holdId: string | null;
    /** Present if the flight assigned the seats itself, free of charge. */
    readonly automatic?: true;
    /** Present if the booking moves to this cabin; it gets seats there later. */
    readonly cabin?: Cabin;
  }
>;

/** New seats that a flight has reserved for a booking under `changeId`, in addition to the present ones. */
export interface ReservedSeats extends Pick<SeatChangeReserved["data"], "changeId" | "seats" | "surcharges"> {
  readonly flightId: string;
}

/** The booking accepted the new seats, so the old ones are free. */
export type SeatChangeApplied = DomainEvent<
  "SeatChangeApplied",
  { readonly bookingId: string; readonly changeId: string }
>;

/** The booking refused the new seats. They are free, and the booking keeps the old ones. */
export type SeatChangeDropped = DomainEvent<
  "SeatChangeDropped",
  { readonly bookingId: string; readonly changeId: string }
>;

/**
 * Releases everything the booking has on this flight, an open change included. `moveId`: the move that it ends: the booking has left
 * for another flight, or has not taken the places here.
 */
export type AllocationReleased = DomainEvent<
  "AllocationReleased",
  { readonly bookingId: string; readonly moveId?: string }
>;

/**
 * The bookings are paid, or cost nothing, by their own streams. They no longer count against the account's quota of
 * unpaid seats. Recorded only when that quota gets in an account's way. `revocable`: refunds may leave less than half
 * later. Absent: a former release, which did not report refunds to the flight, so the event no longer counts.
 */
export type SeatsPaid = DomainEvent<"SeatsPaid", { readonly bookingIds: readonly string[]; readonly revocable?: true }>;

/**
 * A refund is to leave less than half of the booking's total. Its seats count as unpaid for good, unless the refund is
 * never started. `refundId`: absent in former releases.
 */
export type SeatsRefunded = DomainEvent<"SeatsRefunded", { readonly bookingId: string; readonly refundId?: string }>;

/** The refund was never started: the flight knows nothing of the booking's payment. */
export type SeatsRefundUndone = DomainEvent<
  "SeatsRefundUndone",
  { readonly bookingId: string; readonly refundId: string }
>;

/** An operator takes a seat out of sale, besides those of the plan. `reason` is about the seat, for operators. */
export type SeatBlocked = DomainEvent<
  "SeatBlocked",
  { readonly cabin: Cabin; readonly seat: string; readonly reason: string | null }
>;

/** An operator gives it back. */
export type SeatUnblocked = DomainEvent<"SeatUnblocked", { readonly cabin: Cabin; readonly seat: string }>;

/** What every decision of an operator about a flight has. */
interface OperatorDecision {
  /** Of the flight's disruptions: 1 for the first decision, and one more with each. */
  readonly revision: number;
  /** For everybody. */
  readonly reason: string | null;
}

/** The flight takes no new holds, bookings and upgrades. What was made before goes on. */
export type SalesClosed = DomainEvent<"SalesClosed", OperatorDecision>;

export type SalesOpened = DomainEvent<"SalesOpened", OperatorDecision>;

/**
 * The flight never departs. Its holds are released (`SeatHoldReleased` follows), and its bookings follow it one by one
 * (docs/decisions/0065-a-flight-decides-first.md).
 */
export type FlightCancelled = DomainEvent<
  "FlightCancelled",
  OperatorDecision & {
    readonly disruptionId: string;
    readonly policy: DisruptionPolicy;
    /** The flights that take over who has paid, or may be offered, in this order. Absent: none. */
    readonly into?: readonly string[];
    /** How many bookings have places on the flight. */
    readonly bookings: number;
    /** Who has bookings or active holds on it, each once. Absent in former events. */
    readonly accounts?: readonly string[];
  }
>;

/**
 * The flight departs after all: the cancellation with this id is taken back, and its sweep goes on to tell the bookings.
 * Holds that it released stay so.
 */
export type FlightReinstated = DomainEvent<
  "FlightReinstated",
  OperatorDecision & {
    readonly disruptionId: string;
    /** As before the cancellation. */
    readonly sale: "open" | "closed";
    /** Who has bookings on it, each once. */
    readonly accounts: readonly string[];
  }
>;

/** The flight departs at another time, or takes longer or less long. Its bookings follow it one by one. */
export type FlightRetimed = DomainEvent<
  "FlightRetimed",
  OperatorDecision &
    FlightTimes & {
      readonly disruptionId: string;
      /** As set when it was decided, so that everybody on board is treated alike. */
      readonly tolerance: Tolerance;
      /** How many bookings have places on the flight. */
      readonly bookings: number;
      /** Who has bookings or active holds on it, each once. */
      readonly accounts: readonly string[];
    }
>;

/**
 * The flight goes with another ship: these cabins with their fares. Seats that operators have blocked are on sale again. Holds
 * that are not on it have been released right before. Its bookings follow it one by one.
 */
export type EquipmentChanged = DomainEvent<
  "EquipmentChanged",
  OperatorDecision & {
    readonly disruptionId: string;
    readonly cabins: readonly CabinPlan[];
    /** The bookings whose seats change, and all that have no place. Any other has the seats that it had. */
    readonly reseated: readonly Reseated[];
    /** How many bookings have places on the flight. */
    readonly bookings: number;
    /** Who has bookings or active holds on it, each once. */
    readonly accounts: readonly string[];
  }
>;

/** The sweep stops. Bookings with commands of their own still follow the flight. */
export type DisruptionPaused = DomainEvent<"DisruptionPaused", { readonly disruptionId: string }>;

/** The sweep begins again, after a pause or to try those that were stuck. */
export type DisruptionResumed = DomainEvent<"DisruptionResumed", { readonly disruptionId: string }>;

/** Every booking has followed the flight, but for those that are `stuck`: they have failed again and again. */
export type DisruptionEnded = DomainEvent<
  "DisruptionEnded",
  { readonly disruptionId: string; readonly stuck: readonly string[] }
>;

export type DisruptionEvent =
  | SalesClosed
  | SalesOpened
  | FlightCancelled
  | FlightReinstated
  | FlightRetimed
  | EquipmentChanged
  | DisruptionPaused
  | DisruptionResumed
  | DisruptionEnded;

export type FlightEvent =
  | FlightScheduled
  | FareChanged
  | SeatsHeld
  | SeatHoldReleased
  | SeatHoldExpired
  | SeatsAllocated
  | SeatChangeReserved
  | SeatChangeApplied
  | SeatChangeDropped
  | AllocationReleased
  | SeatsPaid
  | SeatsRefunded
  | SeatsRefundUndone
  | SeatBlocked
  | SeatUnblocked
  | DisruptionEvent;
