import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import { hasDeparted } from "../shared/departure.ts";
import { MINUTE } from "../shared/durations.ts";
import { seatsLeft } from "./availability.ts";
import type { HoldSeats, ReleaseHold } from "./commands.ts";
import type { FlightEvent } from "./events.ts";
import type { FlightRejectionCode } from "./rejections.ts";
import { cabinOfSeat, invalidSeats, unavailableSeats } from "./seat-rules.ts";
import { holdStatus, type ScheduledFlight } from "./state.ts";

/** docs/rules.md#hold-time and docs/rules.md#what-a-hold-takes. */
export const HOLD_DURATION = 15 * MINUTE;
export const MAX_SEATS_PER_HOLD = 9;

type FlightDecision = Decision<FlightEvent, FlightRejectionCode>;

/** All seats or none, all in one cabin (docs/rules.md#what-a-hold-takes). */
export function holdSeats(command: HoldSeats, flight: ScheduledFlight, at: Instant): FlightDecision {
  const { holdId, accountId, seats } = command;
  const { occupancy } = flight;
  const known = flight.holds.get(holdId);
  if (known !== undefined) return known.accountId === accountId ? accept() : reject("id_taken");

  const [first] = seats;
  if (first === undefined) return reject("no_seats");
  if (seats.length > MAX_SEATS_PER_HOLD) return reject("too_many_seats", { most: MAX_SEATS_PER_HOLD });
  const unfit = invalidSeats(occupancy, seats);
  if (unfit !== undefined) return { events: [], rejection: unfit };
  const cabin = cabinOfSeat(occupancy, first);
  if (cabin === undefined) return reject("seat_unknown", { seats: [first] });
  if (seats.some((seat) => cabinOfSeat(occupancy, seat) !== cabin)) return reject("seats_span_cabins", { seats });

  if (hasDeparted(occupancy.plan.departsAt, at)) return reject("flight_departed");
  const unavailable = unavailableSeats(occupancy, seats, cabin, { holdId: null, bookingId: null }, at);
  if (unavailable !== undefined) return { events: [], rejection: unavailable };
  const left = seatsLeft(occupancy, cabin, at);
  if (left < seats.length) return reject("seats_owed", { seats, cabin, seatsLeft: left });
  return accept({ type: "SeatsHeld", at, data: { holdId, accountId, cabin, seats, expiresAt: at + HOLD_DURATION } });
}

/** Once, while active; somebody else's hold is as good as none. */
export function releaseHold(command: ReleaseHold, flight: ScheduledFlight, at: Instant): FlightDecision {
  const hold = flight.holds.get(command.holdId);
  if (hold === undefined || hold.accountId !== command.accountId) return reject("hold_not_found");
  const status = holdStatus(hold, at);
  if (status !== "active") return reject("hold_not_active", { status });
  return accept({ type: "SeatHoldReleased", at, data: { holdId: hold.holdId } });
}
