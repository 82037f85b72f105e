import { accept, type Decision, type Instant, reject } from "../../shared/decision.ts";
import type { AssignSeats } from "../commands.ts";
import type { FlightEvent } from "../events.ts";
import type { Occupant } from "../occupancy.ts";
import type { FlightRejectionCode } from "../rejections.ts";
import { surchargesOf } from "../seat-rules.ts";
import type { ScheduledFlight, SeatChangeReservation } from "../state.ts";
import { automaticSeats } from "./automatic-seats.ts";

/**
 * Reserves seats for a booking that has none, until the booking has decided. Where that is under way already, or done,
 * nothing is added: whoever asks goes on with what there is (`automaticChange`). Departure stands in nobody's way: what
 * was due before it is done late rather than never.
 */
export function assignSeats(
  { bookingId, changeId, preferences }: AssignSeats,
  flight: ScheduledFlight,
  at: Instant,
): Decision<FlightEvent, FlightRejectionCode> {
  const { occupancy } = flight;
  if (flight.changes.has(changeId)) return accept();
  if (!flight.allocations.has(bookingId)) return reject("allocation_not_found");
  const occupant = occupancy.occupants.get(bookingId);
  if (occupant === undefined) return reject("allocation_released");
  if (occupant.change !== null) {
    return automaticChange(flight, bookingId) === undefined ? reject("seat_change_open") : accept();
  }
  if (occupant.seats.length > 0) return accept();
  const { cabin, passengers } = occupant;
  if (preferences.length !== passengers)
    return reject("seat_count_mismatch", { passengers, seats: preferences.length });
  const seats = automaticSeats(occupancy, cabin, preferences, at);
  // Places are never promised twice, but a change of another booking keeps its old seats and its new ones for a moment.
  if (seats === undefined) return reject("seats_changing", { cabin });
  const surcharges = surchargesOf(occupancy, cabin, seats);
  return accept({
    type: "SeatChangeReserved",
    at,
    data: { bookingId, changeId, seats, surcharges, holdId: null, automatic: true },
  });
}

export interface AutomaticChange extends Pick<SeatChangeReservation, "changeId" | "seats"> {
  readonly cabin: Occupant["cabin"];
}

/** The automatic seats that are reserved for a booking and wait for its decision. */
export function automaticChange(flight: ScheduledFlight, bookingId: string): AutomaticChange | undefined {
  const occupant = flight.occupancy.occupants.get(bookingId);
  const change = occupant?.change;
  if (occupant === undefined || change == null) return undefined;
  const { changeId, seats } = change;
  return flight.changes.get(changeId)?.automatic === true ? { changeId, seats, cabin: occupant.cabin } : undefined;
}
