import { accept, assertNever, type Decider, type Instant, reject } from "../shared/decision.ts";
import { applySeatChange, assignSeats, dropSeatChange, reserveSeatChange, reserveUpgrade } from "./change-seats.ts";
import type { FlightCommand, FlightDecision, FlightRejectionCode } from "./commands.ts";
import type { FlightEvent, SeatHoldExpired } from "./events.ts";
import { scheduleFlight } from "./schedule-flight.ts";
import { copyFlight, evolveFlight, type FlightState, type ScheduledFlight } from "./state.ts";
import { allocateSeats, holdSeats, releaseAllocation, releaseHold } from "./take-seats.ts";
import { recordPaidSeats, recordRefundedSeats } from "./unpaid-seats.ts";

/**
 * Maximum number of expired holds that one command records, so that its events fit into one append. Later commands
 * record the rest; the rules treat them as expired in any case.
 */
export const MAX_EXPIRED_HOLDS_PER_COMMAND = 256;

/** The holds that have expired by `at`, the oldest first. */
function expireHolds(flight: ScheduledFlight, at: Instant): readonly SeatHoldExpired[] {
  return flight.occupancy.holds.expired(at, MAX_EXPIRED_HOLDS_PER_COMMAND).map(({ holdId }) => ({
    type: "SeatHoldExpired",
    at,
    data: { holdId },
  }));
}

/** Decides on the flight at `at`: the rules treat lapsed holds as expired, recorded or not. */
function decideScheduled(command: FlightCommand, flight: ScheduledFlight, at: Instant): FlightDecision {
  switch (command.type) {
    case "ScheduleFlight":
      return scheduleFlight(command, flight, at);
    case "HoldSeats":
      return holdSeats(command, flight, at);
    case "ReleaseHold":
      return releaseHold(command, flight, at);
    case "ExpireHolds":
      return accept();
    case "AllocateSeats":
      return allocateSeats(command, flight, at);
    case "ReserveSeatChange":
      return reserveSeatChange(command, flight, at);
    case "AssignSeats":
      return assignSeats(command, flight, at);
    case "ReserveUpgrade":
      return reserveUpgrade(command, flight, at);
    case "ApplySeatChange":
      return applySeatChange(command, flight, at);
    case "DropSeatChange":
      return dropSeatChange(command, flight, at);
    case "ReleaseAllocation":
      return releaseAllocation(command, flight, at);
    case "RecordPaidSeats":
      return recordPaidSeats(command, flight, at);
    case "RecordRefundedSeats":
      return recordRefundedSeats(command, flight, at);
    default:
      return assertNever(command);
  }
}

/**
 * Decides on seats and capacity of one flight. Only this decider ensures that a seat has one owner at most and that no
 * cabin is oversold. It first records lapsed holds as expired, even if it then refuses the command. The cost of a
 * decision depends on the seats it names and the lapsed holds, not on the size of the flight.
 */
export const flightDecider: Decider<FlightCommand, FlightState, FlightEvent, FlightRejectionCode> = {
  initialState: () => ({ status: "unscheduled" }),
  decide(command, state, at) {
    if (state.status === "unscheduled")
      return command.type === "ScheduleFlight" ? scheduleFlight(command, state, at) : reject("flight_not_found");
    const expired = expireHolds(state, at);
    const decision = decideScheduled(command, state, at);
    return expired.length === 0 ? decision : { ...decision, events: [...expired, ...decision.events] };
  },
  evolve: evolveFlight,
  copy: copyFlight,
  snapshotVersion: 5,
};
