import type { CabinPlan } from "../shared/cabin-plan.ts";
import { accept, reject } from "../shared/decision.ts";
import { hasDeparted, MINUTE } from "../shared/time.ts";
import type { Cabin } from "../shared/values.ts";
import { seatsLeft } from "./availability.ts";
import type { FlightHandlers } from "./commands.ts";
import { notOnSale } from "./disrupt.ts";
import type { FlightEvent } from "./events.ts";
import type { Occupancy } from "./occupancy.ts";
import {
  activeHold,
  cabinOfSeat,
  heldAgain,
  invalidForParty,
  invalidSeats,
  missingHold,
  surchargesOf,
  unavailableSeats,
} from "./seat-rules.ts";
import { findAllocation, findHold } from "./state.ts";
import { tooManyUnpaidSeats } from "./unpaid-seats.ts";

/** docs/rules.md#hold-time and docs/rules.md#what-a-hold-takes. */
export const HOLD_DURATION = 15 * MINUTE;
export const MAX_SEATS_PER_HOLD = 9;

export const takingHandlers = {
  /** Holds all seats or none, all in one cabin (docs/rules.md#what-a-hold-takes). */
  HoldSeats(command, flight, at) {
    const { holdId, accountId, seats } = command;
    const { occupancy } = flight;
    const known = findHold(flight, holdId, at);
    if (known !== undefined) return known.accountId === accountId ? accept() : reject("id_taken");
    const refusal = notOnSale(occupancy);
    if (refusal !== undefined) return refusal;

    const [first] = seats;
    if (first === undefined) return reject("no_seats");
    if (seats.length > MAX_SEATS_PER_HOLD) return reject("too_many_seats", { most: MAX_SEATS_PER_HOLD });
    const unfit = invalidSeats(occupancy, seats);
    if (unfit !== undefined) return { events: [], rejection: unfit };
    const cabin = cabinOfSeat(occupancy, first);
    const fare = cabin && fareOf(occupancy, cabin);
    if (cabin === undefined || fare === undefined) return reject("seat_unknown", { seats: [first] });
    if (seats.some((seat) => cabinOfSeat(occupancy, seat) !== cabin)) return reject("seats_span_cabins", { seats });

    if (hasDeparted(occupancy.plan.departsAt, at)) return reject("flight_departed");
    const unavailable = unavailableSeats(occupancy, seats, cabin, { holdId: null, bookingId: null }, at);
    if (unavailable !== undefined) return { events: [], rejection: unavailable };
    const left = seatsLeft(occupancy, cabin, at);
    if (left < seats.length) return reject("seats_owed", { seats, cabin, seatsLeft: left });
    const unpaid = tooManyUnpaidSeats(
      occupancy,
      { accountId, cabin, added: seats.length, percent: command.unpaidSeatsPercent },
      at,
    );
    if (unpaid !== undefined) return { events: [], rejection: unpaid };
    const data = { holdId, accountId, cabin, seats, expiresAt: at + HOLD_DURATION, fareAmount: fare.amount };
    return accept({ type: "SeatsHeld", at, data });
  },

  /** Releases an active hold, once; another account's hold counts as not found. */
  ReleaseHold({ holdId, accountId }, flight, at) {
    const hold = findHold(flight, holdId, at);
    if (hold?.accountId !== accountId) return reject("hold_not_found");
    if (hold.status !== "active") return reject("hold_not_active", { status: hold.status });
    return accept({ type: "SeatHoldReleased", at, data: { holdId } });
  },

  /**
   * Allocates capacity, seats and price for a new booking, at today's fare, or that of a hold for all, if it is lower.
   * Without seats it gets those of the hold; without a hold, capacity only. 404 before 422 before 409
   * (docs/rules.md#making-a-booking).
   */
  AllocateSeats(command, flight, at) {
    const { bookingId, accountId, cabin, passengers, holdId } = command;
    const { occupancy } = flight;
    const known = findAllocation(flight, bookingId);
    if (known !== undefined) return known.accountId === accountId ? accept() : reject("id_taken");
    const refusal = holdId === null || occupancy.sale === "cancelled" ? notOnSale(occupancy) : undefined;
    if (refusal !== undefined) return refusal;

    const hold = holdId === null ? undefined : activeHold(flight, holdId, accountId, at);
    if (holdId !== null && hold === undefined) return missingHold(flight, holdId, accountId, at);

    const fare = fareOf(occupancy, cabin);
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
    const added = passengers - (hold?.seats.length ?? 0);
    const unpaid = tooManyUnpaidSeats(occupancy, { accountId, cabin, added, percent: command.unpaidSeatsPercent }, at);
    if (unpaid !== undefined) return { events: [], rejection: unpaid };

    const { amount, currency } = fare;
    const heldForAll = hold !== undefined && hold.seats.length >= passengers;
    const fareAmount = Math.min(amount, (heldForAll ? hold.fareAmount : undefined) ?? amount);
    const surcharges = surchargesOf(occupancy, cabin, seats);
    const about = flight.revision === 0 ? {} : { flightRevision: flight.revision };
    const data = { bookingId, accountId, cabin, passengers, seats, holdId, fareAmount, currency, surcharges, ...about };
    return accept({ type: "SeatsAllocated", at, data });
  },

  /**
   * Releases everything a booking has, an open seat change included. A no-op if it has nothing, or if a move is to give up places
   * that it has left already.
   */
  ReleaseAllocation({ bookingId, undone, moveId, placedBy }, { occupancy }, at) {
    const occupant = occupancy.occupants.get(bookingId);
    if (occupant === undefined || (moveId !== undefined && occupant.moveId !== placedBy)) return accept();
    const { hold, passengers } = occupant;
    const givenBack = undone === true ? heldAgain(occupancy, { hold, bookingId, freed: passengers }, at) : [];
    const data = { bookingId, ...(moveId !== undefined && { moveId }) };
    return accept<FlightEvent>({ type: "AllocationReleased", at, data }, ...givenBack);
  },
} satisfies Partial<FlightHandlers>;

export function fareOf({ plan }: Occupancy, cabin: Cabin): Pick<CabinPlan, "amount" | "currency"> | undefined {
  return plan.cabins.find((each) => each.cabin === cabin);
}
