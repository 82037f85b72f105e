import { assertNever } from "../shared/assert-never.ts";
import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import { hasDeparted } from "../shared/departure.ts";
import type { ApplySeatChange, DropSeatChange, ReserveSeatChange } from "./commands.ts";
import type { FlightEvent } from "./events.ts";
import type { FlightRejectionCode } from "./rejections.ts";
import { activeHold, invalidForParty, surchargesOf, unavailableSeats } from "./seat-rules.ts";
import type { ScheduledFlight } from "./state.ts";

type FlightDecision = Decision<FlightEvent, FlightRejectionCode>;

/**
 * New seats beside the old ones, until the booking has decided. A booking has a place per passenger already, so
 * this takes none and needs no room in the cabin, only the seats themselves.
 */
export function reserveSeatChange(command: ReserveSeatChange, flight: ScheduledFlight, at: Instant): FlightDecision {
  const { bookingId, accountId, changeId, holdId } = command;
  const { occupancy } = flight;
  const known = flight.changes.get(changeId);
  if (known !== undefined) return known.bookingId === bookingId ? accept() : reject("id_taken");

  const allocation = flight.allocations.get(bookingId);
  if (allocation === undefined || allocation.accountId !== accountId) return reject("allocation_not_found");
  const hold = holdId === null ? undefined : activeHold(flight, holdId, accountId, at);
  if (holdId !== null && hold === undefined) return reject("hold_not_found");

  const { cabin, passengers } = allocation;
  if (hold !== undefined && hold.cabin !== cabin) return reject("hold_cabin_mismatch", { cabin, heldIn: hold.cabin });
  const seats = command.seats.length === 0 && hold !== undefined ? hold.seats : command.seats;
  const unfit = invalidForParty(occupancy, seats, cabin, passengers);
  if (unfit !== undefined) return { events: [], rejection: unfit };

  const occupant = occupancy.occupants.get(bookingId);
  if (occupant === undefined) return reject("allocation_released");
  if (hasDeparted(occupancy.plan.departsAt, at)) return reject("flight_departed");
  if (occupant.change !== null) return reject("seat_change_open");
  const unavailable = unavailableSeats(occupancy, seats, cabin, { holdId, bookingId }, at);
  if (unavailable !== undefined) return { events: [], rejection: unavailable };
  const surcharges = surchargesOf(occupancy, cabin, seats);
  return accept({ type: "SeatChangeReserved", at, data: { bookingId, changeId, seats, surcharges, holdId } });
}

/** The booking took the new seats. A booking that gave everything back meanwhile needs nothing more. */
export function applySeatChange(command: ApplySeatChange, flight: ScheduledFlight, at: Instant): FlightDecision {
  const { bookingId, changeId } = command;
  const change = flight.changes.get(changeId);
  if (change === undefined || change.bookingId !== bookingId) return reject("seat_change_not_found");
  switch (change.status) {
    case "open":
      return accept({ type: "SeatChangeApplied", at, data: { bookingId, changeId } });
    case "applied":
    case "released":
      return accept();
    case "dropped":
      return reject("seat_change_not_open");
    default:
      return assertNever(change.status);
  }
}

/** The booking refused the new seats. A change that was never reserved needs no dropping. */
export function dropSeatChange(command: DropSeatChange, flight: ScheduledFlight, at: Instant): FlightDecision {
  const { bookingId, changeId } = command;
  const change = flight.changes.get(changeId);
  if (change === undefined || change.bookingId !== bookingId) return accept();
  switch (change.status) {
    case "open":
      return accept({ type: "SeatChangeDropped", at, data: { bookingId, changeId } });
    case "dropped":
    case "released":
      return accept();
    case "applied":
      return reject("seat_change_not_open");
    default:
      return assertNever(change.status);
  }
}
