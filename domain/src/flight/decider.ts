import { accept, type Decider, handle, type Instant, reject } from "../shared/decision.ts";
import { adjustingHandlers } from "./adjust-flight.ts";
import { changeHandlers } from "./change-seats.ts";
import type { FlightCommand, FlightDecision, FlightHandlers, FlightRejectionCode } from "./commands.ts";
import { disruptionHandlers, releaseHolds } from "./disrupt.ts";
import type { FlightEvent, SeatHoldExpired, SeatHoldReleased } from "./events.ts";
import { scheduleFlight } from "./schedule-flight.ts";
import { copyFlight, evolveFlight, type FlightState, type ScheduledFlight } from "./state.ts";
import { moveHandlers } from "./take-moves.ts";
import { takingHandlers } from "./take-seats.ts";
import { paidSeatsHandlers } from "./unpaid-seats.ts";

/**
 * Maximum number of expired holds that one command records, so that its events fit into one append. Later commands
 * record the rest; the rules treat them as expired in any case.
 */
export const MAX_EXPIRED_HOLDS_PER_COMMAND = 256;

/** The holds that have expired by `at`, the oldest first, then those that the flight's cancellation has released. */
function endHolds({ occupancy }: ScheduledFlight, at: Instant): readonly (SeatHoldExpired | SeatHoldReleased)[] {
  const expired = occupancy.holds
    .expired(at, MAX_EXPIRED_HOLDS_PER_COMMAND)
    .map(({ holdId }): SeatHoldExpired => ({ type: "SeatHoldExpired", at, data: { holdId } }));
  return occupancy.sale === "cancelled" ? [...expired, ...releaseHolds(occupancy, at)] : expired;
}

/** The handlers treat lapsed and released holds as ended, recorded or not. */
const HANDLERS: FlightHandlers = {
  ScheduleFlight: scheduleFlight,
  ExpireHolds: () => accept(),
  ...takingHandlers,
  ...moveHandlers,
  ...changeHandlers,
  ...paidSeatsHandlers,
  ...disruptionHandlers,
  ...adjustingHandlers,
};

/**
 * Decides on seats and capacity of one flight. Only this decider ensures that a seat has at most one owner and that no
 * cabin is oversold. It first records holds that have ended by themselves, even if it then refuses the command. The cost of a
 * decision depends on the seats it names and the lapsed holds, not on the size of the flight; only another ship seats everybody.
 */
export const flightDecider: Decider<FlightCommand, FlightState, FlightEvent, FlightRejectionCode> = {
  initialState: () => ({ status: "unscheduled" }),
  decide(command, state, at) {
    if (state.status === "unscheduled")
      return command.type === "ScheduleFlight" ? scheduleFlight(command, state, at) : reject("flight_not_found");
    const ended = endHolds(state, at);
    const decision: FlightDecision = handle(HANDLERS, command, state, at);
    return ended.length === 0 ? decision : { ...decision, events: [...ended, ...decision.events] };
  },
  evolve: evolveFlight,
  copy: copyFlight,
  snapshotVersion: 10,
};
