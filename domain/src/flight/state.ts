import { assertNever, type Instant } from "../shared/decision.ts";
import type { FlightEvent, SeatChangeReserved, SeatsAllocated, SeatsHeld } from "./events.ts";
import { evolveOccupancy, Occupancy } from "./occupancy.ts";
import type { OccupancyEvent } from "./occupant.ts";

/** Statuses of a seat hold (docs/rules.md#hold-statuses). */
export const HOLD_STATUSES = ["active", "used", "expired", "released"] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

type Held = SeatsHeld["data"];
export interface SeatHold extends Held {
  readonly createdAt: Instant;
  /** The recorded status; `holdStatus` applies the clock. */
  status: HoldStatus;
}

type Allocated = SeatsAllocated["data"];
/** The allocation and its price at that time. Of later changes it shows only an upgrade. */
export interface Allocation extends Omit<Allocated, "cabin"> {
  cabin: Allocated["cabin"];
  released: boolean;
}

type Reserved = SeatChangeReserved["data"];
export interface SeatChangeReservation extends Reserved {
  /** `released`: the flight released the booking while the change was open. */
  status: "open" | "applied" | "dropped" | "released";
}

/**
 * A flight for sale: its present occupancy and its whole history, so that it recognises a command whenever it repeats.
 */
export interface ScheduledFlight {
  readonly status: "scheduled";
  readonly occupancy: Occupancy;
  readonly holds: Map<string, SeatHold>;
  readonly allocations: Map<string, Allocation>;
  readonly changes: Map<string, SeatChangeReservation>;
}

export type FlightState = { readonly status: "unscheduled" } | ScheduledFlight;

/** The status of a hold at a moment: expired after `expiresAt`, recorded or not. */
export function holdStatus(hold: Pick<SeatHold, "status" | "expiresAt">, at: Instant): HoldStatus {
  return hold.status === "active" && hold.expiresAt <= at ? "expired" : hold.status;
}

function endHold(flight: ScheduledFlight, holdId: string | null, status: HoldStatus): void {
  const hold = holdId === null ? undefined : flight.holds.get(holdId);
  if (hold !== undefined) hold.status = status;
}

function endChange(
  flight: ScheduledFlight,
  changeId: string | undefined,
  status: SeatChangeReservation["status"],
): void {
  const change = changeId === undefined ? undefined : flight.changes.get(changeId);
  if (change !== undefined) change.status = status;
}

function record(flight: ScheduledFlight, event: OccupancyEvent): void {
  switch (event.type) {
    case "FareChanged":
      break;
    case "SeatsHeld":
      flight.holds.set(event.data.holdId, { ...event.data, createdAt: event.at, status: "active" });
      break;
    case "SeatHoldReleased":
      endHold(flight, event.data.holdId, "released");
      break;
    case "SeatHoldExpired":
      endHold(flight, event.data.holdId, "expired");
      break;
    case "SeatsAllocated":
      flight.allocations.set(event.data.bookingId, { ...event.data, released: false });
      endHold(flight, event.data.holdId, "used");
      break;
    case "SeatChangeReserved":
      flight.changes.set(event.data.changeId, { ...event.data, status: "open" });
      endHold(flight, event.data.holdId, "used");
      break;
    case "SeatChangeApplied":
      endChange(flight, event.data.changeId, "applied");
      break;
    case "SeatChangeDropped":
      endChange(flight, event.data.changeId, "dropped");
      break;
    case "AllocationReleased": {
      const { bookingId } = event.data;
      endChange(flight, flight.occupancy.occupants.get(bookingId)?.change?.changeId, "released");
      const allocation = flight.allocations.get(bookingId);
      if (allocation !== undefined) allocation.released = true;
      break;
    }
    default:
      assertNever(event);
  }
}

/** An applied change may have moved the booking to another cabin. */
function followCabin({ allocations, occupancy }: ScheduledFlight, bookingId: string): void {
  const allocation = allocations.get(bookingId);
  const occupant = occupancy.occupants.get(bookingId);
  if (allocation !== undefined && occupant !== undefined) allocation.cabin = occupant.cabin;
}

/** Folds one event in. Mutates the state and returns it. */
export function evolveFlight(state: FlightState, event: FlightEvent): FlightState {
  if (event.type === "FlightScheduled")
    return {
      status: "scheduled",
      occupancy: new Occupancy(event.data),
      holds: new Map(),
      allocations: new Map(),
      changes: new Map(),
    };
  if (state.status === "unscheduled") throw new Error(`${event.type} on a flight that was never scheduled`);
  record(state, event);
  evolveOccupancy(state.occupancy, event);
  if (event.type === "SeatChangeApplied") followCabin(state, event.data.bookingId);
  return state;
}

/**
 * An independent copy: folding events into one does not affect the other. The cost is proportional to the flight's
 * history.
 */
export function copyFlight(state: FlightState): FlightState {
  if (state.status === "unscheduled") return state;
  return {
    status: "scheduled",
    occupancy: new Occupancy(state.occupancy.plan, state.occupancy),
    holds: copyEntries(state.holds),
    allocations: copyEntries(state.allocations),
    changes: copyEntries(state.changes),
  };
}

function copyEntries<Entry extends object>(entries: ReadonlyMap<string, Entry>): Map<string, Entry> {
  const copy = new Map<string, Entry>();
  for (const [id, entry] of entries) copy.set(id, { ...entry });
  return copy;
}
