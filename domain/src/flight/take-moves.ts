import { accept, type Instant, reject } from "../shared/decision.ts";
import type { FlightTimes } from "../shared/flight-change.ts";
import { DAY, HOUR, hasDeparted } from "../shared/time.ts";
import { type Cabin, sameItems } from "../shared/values.ts";
import { seatsLeft } from "./availability.ts";
import type { AllocateMove, FlightHandlers, Mover } from "./commands.ts";
import { notOnSale } from "./disrupt.ts";
import type { FlightPlan } from "./events.ts";
import type { Occupancy, Occupant } from "./occupancy.ts";
import { seatAt } from "./seat-layout.ts";
import { activeHold, invalidForParty, missingHold, surchargesOf, unavailableSeats } from "./seat-rules.ts";
import type { FlightState } from "./state.ts";
import { fareOf } from "./take-seats.ts";

/** A client may move to flights that depart at most so long before or after what was agreed, and at least this far ahead. */
const REBOOKED_WITHIN = 14 * DAY;
const REBOOKED_AHEAD = 2 * HOUR;

export const moveHandlers = {
  /**
   * Places for a booking of another flight, beside those that it has there (docs/rules.md#moves). Places that another attempt has left
   * here for it are taken over, unless they are not those that are asked for.
   */
  AllocateMove(command, flight, at) {
    const { bookingId, accountId, cabin, passengers, moveId, holdId, keep, asked } = command;
    const { occupancy } = flight;
    if (occupancy.sale === "cancelled") return reject("flight_cancelled");
    const occupant = occupancy.occupants.get(bookingId);
    if (occupant !== undefined) return isPlacedAlready(occupant, command) ? accept() : reject("seat_change_open");
    const hold = holdId === null ? undefined : activeHold(flight, holdId, accountId, at);
    if (holdId !== null && hold === undefined) return missingHold(flight, holdId, accountId, at);

    const fare = fareOf(occupancy, cabin);
    if (hasDeparted(occupancy.plan.departsAt, at)) return reject("flight_departed");
    if (!goesThere(occupancy.plan, command) || (asked !== undefined && !isNear(occupancy.plan, asked.agreed, at)))
      return reject("rebook_not_allowed");
    if (fare === undefined) return reject("cabin_not_on_flight", { cabin });
    const closed = asked === undefined || hold !== undefined ? undefined : notOnSale(occupancy);
    if (closed !== undefined) return closed;
    if (hold !== undefined && hold.cabin !== cabin) return reject("hold_cabin_mismatch", { cabin, heldIn: hold.cabin });
    const chosen = command.seats.length === 0 && hold !== undefined ? hold.seats : command.seats;
    if (chosen.length > 0) {
      const unfit =
        invalidForParty(occupancy, chosen, cabin, passengers) ??
        unavailableSeats(occupancy, chosen, cabin, { holdId, bookingId: null }, at);
      if (unfit !== undefined) return { events: [], rejection: unfit };
      const asking = surchargesOf(occupancy, cabin, chosen).reduce((sum, amount) => sum + amount, 0);
      if (asked !== undefined && asking > asked.paid)
        return reject("seat_price_fixed", { charged: asked.paid, asked: asking });
    }

    const left = seatsLeft(occupancy, cabin, at) + (hold?.seats.length ?? 0);
    if (left < passengers) return reject("flight_sold_out", { cabin, seatsLeft: left });
    if (command.onlyAsked === true) return accept();
    const seats = chosen.length > 0 ? chosen : keptSeats(occupancy, cabin, keep, at);
    const price = {
      fareAmount: fare.amount,
      currency: fare.currency,
      surcharges: surchargesOf(occupancy, cabin, seats),
    };
    const about = flight.revision === 0 ? {} : { flightRevision: flight.revision };
    const data = { bookingId, accountId, cabin, passengers, seats, holdId, ...price, ...about, moveId };
    return accept({ type: "SeatsAllocated", at, data });
  },
} satisfies Partial<FlightHandlers>;

/** Places that it got when it was made were left by an earlier move, which is not finished. */
function isPlacedAlready({ moveId, seats, hold }: Occupant, asked: AllocateMove): boolean {
  if (moveId === undefined) return false;
  if (moveId === asked.moveId) return true;
  if (asked.holdId !== null && hold?.holdId !== asked.holdId) return false;
  return asked.seats.length === 0 || sameItems(seats, asked.seats);
}

/** Whether a flight goes where a booking goes, in its currency. */
export function goesThere(
  { from, destinationId, cabins }: FlightPlan,
  mover: Pick<Mover, "from" | "destinationId" | "currency">,
): boolean {
  const isThere = from === mover.from && destinationId === mover.destinationId;
  return isThere && cabins.every(({ currency }) => currency === mover.currency);
}

/** When the flights depart that a client may move to (docs/rules.md#moves). `middle`: what was agreed. */
export function rebookable(agreed: Instant, at: Instant): Record<"from" | "middle" | "to", Instant> {
  const from = Math.max(agreed - REBOOKED_WITHIN, at + REBOOKED_AHEAD);
  return { from, middle: agreed, to: agreed + REBOOKED_WITHIN };
}

function isNear({ departsAt }: Pick<FlightPlan, "departsAt">, agreed: Instant, at: Instant): boolean {
  const { from, to } = rebookable(agreed, at);
  return from <= departsAt && departsAt <= to;
}

/** The seats of these numbers, if all are free and have the same features; else none. */
function keptSeats(occupancy: Occupancy, cabin: Cabin, keep: Mover["keep"], at: Instant): readonly string[] {
  const layout = occupancy.cabins.get(cabin)?.layout;
  const numbers = keep.map(({ number }) => number);
  const isAlike = ({ number, features }: Mover["keep"][number]) =>
    layout !== undefined && sameItems(seatAt(layout, number)?.features ?? [], features);
  const nobody = { holdId: null, bookingId: null };
  return keep.every(isAlike) && unavailableSeats(occupancy, numbers, cabin, nobody, at) === undefined ? numbers : [];
}

/** What other flights need to know of a booking of this one. @param seats that it has here. */
export function moverFrom(
  flight: FlightState,
  {
    bookingId,
    accountId,
    cabin,
    passengers,
    currency,
    seats,
  }: Omit<Mover, "from" | "destinationId" | "keep"> & {
    readonly seats: readonly string[];
  },
): Mover {
  if (flight.status === "unscheduled") throw new Error("a booking moves from a flight that was never scheduled");
  const { plan, cabins } = flight.occupancy;
  const layout = cabins.get(cabin)?.layout;
  const keep = seats.map((number) => ({ number, features: (layout && seatAt(layout, number))?.features ?? [] }));
  const { from, destinationId } = plan;
  return { bookingId, accountId, cabin, passengers, currency, from, destinationId, keep };
}

/** The places that a flight has allocated to a booking that would move to it, and what the flight is like since then. */
export interface OfferedPlaces extends FlightTimes {
  readonly moveId: string;
  readonly flightId: string;
  readonly flightRevision: number;
  readonly cabin: Cabin;
  readonly seats: readonly string[];
}

/** Undefined: it has none any more, or the flight has changed since, and the booking would not follow that. */
export function placesFor(flight: FlightState, bookingId: string): OfferedPlaces | undefined {
  if (flight.status === "unscheduled") return undefined;
  const { revision: flightRevision, occupancy } = flight;
  const occupant = occupancy.occupants.get(bookingId);
  if (occupant?.moveId === undefined || (occupant.flightRevision ?? 0) !== flightRevision) return undefined;
  const { moveId, cabin, seats } = occupant;
  const { flightId, departsAt, durationDays } = occupancy.plan;
  return { moveId, flightId, flightRevision, departsAt, durationDays, cabin, seats };
}
