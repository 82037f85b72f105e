import type { Instant } from "../shared/decision.ts";
import { type Disrupted, evolveDisruptions, UNDISRUPTED } from "./disruption.ts";
import type { FlightEvent, SeatsHeld } from "./events.ts";
import { evolveOccupancy, Occupancy, type Occupant, shared } from "./occupancy.ts";
import { affectedBooking, endedHold, type OccupancyEvent } from "./party.ts";
import { PastMap } from "./past-map.ts";

/** Statuses of a seat hold (docs/rules.md#hold-statuses). */
export const HOLD_STATUSES = ["active", "used", "expired", "released"] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

export type SeatHold = SeatsHeld["data"] & {
  readonly createdAt: Instant;
  /** The recorded status; `holdStatus` applies the clock. */
  readonly status: HoldStatus;
};

interface KnownHold {
  readonly accountId: string;
  readonly status: HoldStatus;
}

/** A booking that is or was on the flight, with its last cabin. */
type Allocation = Pick<Occupant, "accountId" | "cabin" | "passengers">;

interface SeatChange {
  readonly bookingId: string;
  /** `released`: the flight released the booking while the change was open. */
  readonly status: "open" | "applied" | "dropped" | "released";
}

/**
 * A flight for sale: its present holds and bookings, and enough of the latest ended ones to recognise a repeated
 * command. Only the latest are kept, because anybody may hold and release seats, or book and cancel, for ever.
 */
export interface ScheduledFlight extends Disrupted {
  readonly status: "scheduled";
  readonly occupancy: Occupancy;
  readonly endedHolds: PastMap<KnownHold>;
  readonly releasedAllocations: PastMap<Allocation>;
  readonly endedChanges: PastMap<SeatChange>;
}

export type FlightState = { readonly status: "unscheduled" } | ScheduledFlight;

/** The status of a hold at a moment: expired after `expiresAt`, recorded or not. */
export function holdStatus(hold: Pick<SeatHold, "status" | "expiresAt">, at: Instant): HoldStatus {
  return hold.status === "active" && hold.expiresAt <= at ? "expired" : hold.status;
}

/** A hold of this flight, ended or not, with its status at that moment. */
export function findHold(
  { occupancy, endedHolds }: ScheduledFlight,
  holdId: string,
  at: Instant,
): KnownHold | undefined {
  const hold = occupancy.holds.active.get(holdId);
  if (hold === undefined) return endedHolds.get(holdId);
  if (occupancy.sale === "cancelled" && hold.expiresAt > at) return { accountId: hold.accountId, status: "released" };
  return { accountId: hold.accountId, status: holdStatus({ ...hold, status: "active" }, at) };
}

/** A booking that has or had something on this flight. */
export function findAllocation(flight: ScheduledFlight, bookingId: string): Allocation | undefined {
  return flight.occupancy.occupants.get(bookingId) ?? flight.releasedAllocations.get(bookingId);
}

/** A seat change on this flight, ended or not. */
export function findSeatChange({ occupancy, endedChanges }: ScheduledFlight, changeId: string): SeatChange | undefined {
  const open = occupancy.changing.get(changeId);
  return open === undefined ? endedChanges.get(changeId) : { bookingId: open, status: "open" };
}

/** Remembers the hold, booking or change that an event ends. */
function remember(flight: ScheduledFlight, event: OccupancyEvent): void {
  const { occupancy } = flight;
  const holdId = endedHold(event);
  const hold = holdId === null ? undefined : occupancy.holds.active.get(holdId);
  if (hold !== undefined) {
    const { accountId } = hold;
    const status = statusAfter(event);
    flight.endedHolds.add(hold.holdId, shared(occupancy, `${status} ${accountId}`, { accountId, status }));
  }
  const bookingId = affectedBooking(event);
  const occupant = bookingId === null ? undefined : occupancy.occupants.get(bookingId);
  if (bookingId !== null && occupant !== undefined) rememberOccupant(flight, bookingId, occupant, event);
}

/** How an event ends its hold. */
export function statusAfter({ type }: OccupancyEvent): HoldStatus {
  if (type === "SeatHoldReleased") return "released";
  return type === "SeatHoldExpired" ? "expired" : "used";
}

function rememberOccupant(
  flight: ScheduledFlight,
  bookingId: string,
  { accountId, cabin, passengers, change }: Occupant,
  event: OccupancyEvent,
): void {
  const endChange = (changeId: string, status: SeatChange["status"]) => {
    if (change?.changeId === changeId) flight.endedChanges.add(changeId, { bookingId, status });
  };
  if (event.type === "SeatChangeApplied") endChange(event.data.changeId, "applied");
  if (event.type === "SeatChangeDropped") endChange(event.data.changeId, "dropped");
  if (event.type !== "AllocationReleased") return;
  if (change !== null) endChange(change.changeId, "released");
  const text = `${cabin} ${passengers} ${accountId}`;
  flight.releasedAllocations.add(bookingId, shared(flight.occupancy, text, { accountId, cabin, passengers }));
}

/** Folds one event in. Mutates the state and returns it. */
export function evolveFlight(state: FlightState, event: FlightEvent): FlightState {
  if (event.type === "FlightScheduled")
    return {
      status: "scheduled",
      occupancy: new Occupancy(event.data),
      endedHolds: new PastMap(),
      releasedAllocations: new PastMap(),
      endedChanges: new PastMap(),
      ...UNDISRUPTED,
    };
  if (state.status === "unscheduled") throw new Error(`${event.type} on a flight that was never scheduled`);
  const { plan } = state.occupancy;
  remember(state, event);
  evolveOccupancy(state.occupancy, event);
  return evolveDisruptions(state, event, plan);
}

/** An independent copy. The cost depends on the present holds and bookings of the flight. */
export function copyFlight(state: FlightState): FlightState {
  if (state.status === "unscheduled") return state;
  const { occupancy, endedHolds, releasedAllocations, endedChanges } = state;
  return {
    ...state,
    occupancy: new Occupancy(occupancy.plan, occupancy),
    endedHolds: PastMap.copyOf(endedHolds),
    releasedAllocations: PastMap.copyOf(releasedAllocations),
    endedChanges: PastMap.copyOf(endedChanges),
  };
}
