import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import { hasDeparted } from "../shared/departure.ts";
import { seatsLeft } from "./availability.ts";
import type { AllocateSeats, ReleaseAllocation } from "./commands.ts";
import type { FlightEvent } from "./events.ts";
import type { FlightRejectionCode } from "./rejections.ts";
import { activeHold, invalidForParty, surchargesOf, unavailableSeats } from "./seat-rules.ts";
import type { ScheduledFlight } from "./state.ts";

type FlightDecision = Decision<FlightEvent, FlightRejectionCode>;

/**
 * Room for a new booking, and its price. Without seats the hold's seats are taken; without a hold either, places
 * only. 404 before 422 before 409 (docs/rules.md#making-a-booking).
 */
export function allocateSeats(command: AllocateSeats, flight: ScheduledFlight, at: Instant): FlightDecision {
  const { bookingId, accountId, cabin, passengers, holdId } = command;
  const { occupancy } = flight;
  const known = flight.allocations.get(bookingId);
  if (known !== undefined) return known.accountId === accountId ? accept() : reject("id_taken");

  const hold = holdId === null ? undefined : activeHold(flight, holdId, accountId, at);
  if (holdId !== null && hold === undefined) return reject("hold_not_found");

  const fare = occupancy.plan.cabins.find((plan) => plan.cabin === cabin);
  if (fare === undefined) return reject("cabin_not_on_flight", { cabin });
  if (hold !== undefined && hold.cabin !== cabin) return reject("hold_cabin_mismatch", { cabin, heldIn: hold.cabin });
  const seats = command.seats.length === 0 && hold !== undefined ? hold.seats : command.seats;
  const unfit = seats.length === 0 ? undefined : invalidForParty(occupancy, seats, cabin, passengers);
  if (unfit !== undefined) return { events: [], rejection: unfit };

  if (hasDeparted(occupancy.plan.departsAt, at)) return reject("flight_departed");
  const unavailable = unavailableSeats(occupancy, seats, cabin, { holdId, bookingId: null }, at);
  if (unavailable !== undefined) return { events: [], rejection: unavailable };
  const left = seatsLeft(occupancy, cabin, at) + (hold?.seats.length ?? 0);
  if (left < passengers) return reject("cabin_sold_out", { cabin, seatsLeft: left });

  const { amount: fareAmount, currency } = fare;
  const surcharges = surchargesOf(occupancy, cabin, seats);
  const data = { bookingId, accountId, cabin, passengers, seats, holdId, fareAmount, currency, surcharges };
  return accept({ type: "SeatsAllocated", at, data });
}

/** Gives back all a booking has, an open change included. Nothing to give back is as good as given back. */
export function releaseAllocation(command: ReleaseAllocation, flight: ScheduledFlight, at: Instant): FlightDecision {
  const { bookingId } = command;
  if (!flight.occupancy.occupants.has(bookingId)) return accept();
  return accept({ type: "AllocationReleased", at, data: { bookingId } });
}
