import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import { hasDeparted } from "../shared/departure.ts";
import { seatsLeft } from "./availability.ts";
import type { ReserveUpgrade } from "./commands.ts";
import type { SeatChangeReserved } from "./events.ts";
import { nextCabinUp } from "./next-cabin-up.ts";
import type { FlightRejectionCode } from "./rejections.ts";
import type { ScheduledFlight } from "./state.ts";

/**
 * Places in the next higher cabin beside those in the present one, until the booking has decided: a change of seats to
 * none, in another cabin. It ends as every change of seats does.
 */
export function reserveUpgrade(
  { bookingId, accountId, changeId }: ReserveUpgrade,
  flight: ScheduledFlight,
  at: Instant,
): Decision<SeatChangeReserved, FlightRejectionCode> {
  const { occupancy } = flight;
  const known = flight.changes.get(changeId);
  if (known !== undefined) return known.bookingId === bookingId ? accept() : reject("id_taken");
  if (flight.allocations.get(bookingId)?.accountId !== accountId) return reject("allocation_not_found");
  const occupant = occupancy.occupants.get(bookingId);
  if (occupant === undefined) return reject("allocation_released");
  if (hasDeparted(occupancy.plan.departsAt, at)) return reject("flight_departed");
  const higher = nextCabinUp(occupancy.plan, occupant.cabin);
  if (higher === undefined) return reject("no_higher_cabin", { cabin: occupant.cabin });
  if (occupant.change !== null) return reject("seat_change_open");
  const { cabin } = higher;
  const left = seatsLeft(occupancy, cabin, at);
  if (left < occupant.passengers) return reject("cabin_sold_out", { cabin, seatsLeft: left });
  return accept({
    type: "SeatChangeReserved",
    at,
    data: { bookingId, changeId, seats: [], surcharges: [], holdId: null, cabin },
  });
}
