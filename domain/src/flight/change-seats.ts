import type { CabinPlan } from "../shared/cabin-plan.ts";
import { accept, assertNever, type Instant, reject } from "../shared/decision.ts";
import { hasDeparted } from "../shared/time.ts";
import { CABINS, type Cabin, sameItems } from "../shared/values.ts";
import { automaticSeats } from "./automatic-seats.ts";
import { placesLeft, seatsLeft } from "./availability.ts";
import type { FlightDecision, FlightHandlers, ReserveSeatChange } from "./commands.ts";
import { notOnSale } from "./disrupt.ts";
import type { FlightEvent, FlightPlan, ReservedSeats, SeatChangeReserved } from "./events.ts";
import type { Occupancy, Occupant } from "./occupancy.ts";
import { activeHold, heldAgain, invalidForParty, missingHold, surchargesOf, unavailableSeats } from "./seat-rules.ts";
import { findAllocation, findSeatChange, type ScheduledFlight } from "./state.ts";
import { tooManyUnpaidSeats } from "./unpaid-seats.ts";

export const changeHandlers = {
  /**
   * Reserves new seats in addition to the old ones until the booking has decided. The booking already has its capacity,
   * so only seats are needed. If an unfinished request has reserved these seats, nothing is added, and the caller goes
   * on with them (`reservedSeats`). A used-up hold is refused, even if the booking has its seats.
   */
  ReserveSeatChange(command, flight, at) {
    const { bookingId, accountId, changeId, holdId } = command;
    const { occupancy } = flight;
    const known = findSeatChange(flight, changeId);
    if (known !== undefined) return known.bookingId === bookingId ? accept() : reject("id_taken");

    const allocation = findAllocation(flight, bookingId);
    if (allocation === undefined || allocation.accountId !== accountId) return reject("allocation_not_found");
    const occupant = occupancy.occupants.get(bookingId);
    if (occupancy.sale === "cancelled") return reject("flight_cancelled");
    if (occupant !== undefined && isReservedAlready(occupant, command)) return accept();
    const hold = holdId === null ? undefined : activeHold(flight, holdId, accountId, at);
    if (holdId !== null && hold === undefined) return missingHold(flight, holdId, accountId, at);

    const { cabin, passengers } = allocation;
    if (hold !== undefined && hold.cabin !== cabin) return reject("hold_cabin_mismatch", { cabin, heldIn: hold.cabin });
    const seats = command.seats.length === 0 && hold !== undefined ? hold.seats : command.seats;
    const unfit = invalidForParty(occupancy, seats, cabin, passengers);
    if (unfit !== undefined) return { events: [], rejection: unfit };

    if (occupant === undefined) return reject("allocation_released");
    if (hasDeparted(occupancy.plan.departsAt, at)) return reject("flight_departed");
    if (occupant.change !== null) return reject("seat_change_open");
    const unavailable = unavailableSeats(occupancy, seats, cabin, { holdId, bookingId }, at);
    if (unavailable !== undefined) return { events: [], rejection: unavailable };
    const full = withoutPlace(occupancy, occupant, at);
    if (full !== undefined) return full;
    const surcharges = surchargesOf(occupancy, cabin, seats);
    return accept({ type: "SeatChangeReserved", at, data: { bookingId, changeId, seats, surcharges, holdId } });
  },

  /** The booking applied the change. A no-op if the flight has released the booking meanwhile. */
  ApplySeatChange({ bookingId, changeId }, flight, at) {
    const change = findSeatChange(flight, changeId);
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
  },

  /** Ends a change that the booking rejected. A no-op if it was never reserved. */
  DropSeatChange({ bookingId, changeId, usesHold }, flight, at) {
    const change = findSeatChange(flight, changeId);
    if (change === undefined || change.bookingId !== bookingId) return accept();
    switch (change.status) {
      case "open": {
        const hold = usesHold === true ? undefined : flight.occupancy.occupants.get(bookingId)?.change?.hold;
        return accept<FlightEvent>(
          { type: "SeatChangeDropped", at, data: { bookingId, changeId } },
          ...heldAgain(flight.occupancy, { hold, bookingId, freed: 0 }, at),
        );
      }
      case "dropped":
      case "released":
        return accept();
      case "applied":
        return reject("seat_change_not_open");
      default:
        return assertNever(change.status);
    }
  },

  /**
   * Reserves capacity in the next higher cabin in addition to the present one, until the booking has decided. This is a
   * seat change to another cabin, without seats, and ends like any seat change.
   */
  ReserveUpgrade({ bookingId, accountId, changeId, unpaidSeatsPercent }, flight, at) {
    const { occupancy } = flight;
    const known = findSeatChange(flight, changeId);
    if (known !== undefined) return known.bookingId === bookingId ? accept() : reject("id_taken");
    if (findAllocation(flight, bookingId)?.accountId !== accountId) return reject("allocation_not_found");
    const refusal = notOnSale(occupancy);
    if (refusal !== undefined) return refusal;
    const occupant = occupancy.occupants.get(bookingId);
    if (occupant === undefined) return reject("allocation_released");
    if (hasDeparted(occupancy.plan.departsAt, at)) return reject("flight_departed");
    const higher = nextCabinUp(occupancy.plan, occupant.cabin);
    if (higher === undefined) return reject("no_higher_cabin", { cabin: occupant.cabin });
    if (occupant.change !== null) return reject("seat_change_open");
    const { cabin } = higher;
    const full = withoutRoom(occupancy, occupant, cabin, at);
    if (full !== undefined) return full;
    const added = occupant.payment === "paid" ? 0 : occupant.passengers;
    const unpaid = tooManyUnpaidSeats(occupancy, { accountId, cabin, added, percent: unpaidSeatsPercent }, at);
    if (unpaid !== undefined) return { events: [], rejection: unpaid };
    return accept(reservedIn(cabin, { bookingId, changeId }, at));
  },

  /** The same in any cabin for a booking that has no place, whether it is on sale or not, and in no quota. */
  ReserveCabin({ bookingId, accountId, changeId, cabin }, flight, at) {
    const { occupancy } = flight;
    const known = findSeatChange(flight, changeId);
    if (known !== undefined) return known.bookingId === bookingId ? accept() : reject("id_taken");
    if (findAllocation(flight, bookingId)?.accountId !== accountId) return reject("allocation_not_found");
    if (occupancy.sale === "cancelled") return reject("flight_cancelled");
    const occupant = occupancy.occupants.get(bookingId);
    if (occupant === undefined) return reject("allocation_released");
    if (hasDeparted(occupancy.plan.departsAt, at)) return reject("flight_departed");
    if (occupant.overfull !== true) return reject("has_place");
    if (occupant.change !== null) return reject("seat_change_open");
    return withoutRoom(occupancy, occupant, cabin, at) ?? accept(reservedIn(cabin, { bookingId, changeId }, at));
  },

  /**
   * Reserves seats for a booking that has none, until the booking has decided. If it has reserved or chosen seats,
   * nothing is added, and the caller continues with those (`automaticChange`). It also works after departure, because
   * late seats are better than none.
   */
  AssignSeats({ bookingId, changeId, preferences }, flight, at) {
    const { occupancy } = flight;
    if (findSeatChange(flight, changeId) !== undefined) return accept();
    if (findAllocation(flight, bookingId) === undefined) return reject("allocation_not_found");
    const occupant = occupancy.occupants.get(bookingId);
    if (occupant === undefined) return reject("allocation_released");
    if (occupancy.sale === "cancelled") return reject("flight_cancelled");
    if (occupant.change !== null) {
      return automaticChange(flight, bookingId) === undefined ? reject("seat_change_open") : accept();
    }
    if (occupant.seats.length > 0) return accept();
    const { cabin, passengers } = occupant;
    if (preferences.length !== passengers)
      return reject("seat_count_mismatch", { passengers, seats: preferences.length });
    const full = withoutPlace(occupancy, occupant, at);
    if (full !== undefined) return full;
    const seats = automaticSeats(occupancy, cabin, preferences, at);
    // The capacity always suffices, but another booking's seat change occupies old and new seats for a moment.
    if (seats === undefined) return reject("seats_changing", { cabin });
    const surcharges = surchargesOf(occupancy, cabin, seats);
    return accept({
      type: "SeatChangeReserved",
      at,
      data: { bookingId, changeId, seats, surcharges, holdId: null, automatic: true },
    });
  },
} satisfies Partial<FlightHandlers>;

function withoutRoom(
  occupancy: Occupancy,
  { passengers }: Occupant,
  cabin: Cabin,
  at: Instant,
): FlightDecision | undefined {
  const left = seatsLeft(occupancy, cabin, at);
  return left < passengers ? reject("cabin_sold_out", { cabin, seatsLeft: left }) : undefined;
}

function reservedIn(
  cabin: Cabin,
  change: Pick<SeatChangeReserved["data"], "bookingId" | "changeId">,
  at: Instant,
): SeatChangeReserved {
  const data = { ...change, seats: [], surcharges: [], holdId: null, cabin };
  return { type: "SeatChangeReserved", at, data };
}

/** Those who have no place get seats only where there is room for them: the others of the cabin are owed theirs. */
function withoutPlace(occupancy: Occupancy, occupant: Occupant, at: Instant): FlightDecision | undefined {
  const { overfull, cabin, passengers } = occupant;
  if (overfull !== true) return undefined;
  const left = placesLeft(occupancy, cabin, at);
  return left < passengers ? reject("cabin_sold_out", { cabin, seatsLeft: left }) : undefined;
}

/** Whether an unfinished request has reserved the same seats, from the same hold if one is named. */
function isReservedAlready({ change }: Occupant, { seats, holdId }: ReserveSeatChange): boolean {
  if (change === null || change.automatic === true || change.cabin !== undefined) return false;
  if (holdId === null) return sameItems(seats, change.seats);
  return change.hold?.holdId === holdId && (seats.length === 0 || sameItems(seats, change.seats));
}

/** The next higher cabin of this flight that is sold in the same currency (docs/rules.md#cabin-upgrade); undefined if there is none. */
export function nextCabinUp({ cabins }: Pick<FlightPlan, "cabins">, cabin: Cabin): CabinPlan | undefined {
  const currency = cabins.find((each) => each.cabin === cabin)?.currency;
  const higher = CABINS.slice(CABINS.indexOf(cabin) + 1);
  return higher
    .map((name) => cabins.find((each) => each.cabin === name && each.currency === (currency ?? each.currency)))
    .find((each) => each !== undefined);
}

/** Seats chosen by a client that a flight has reserved, and that wait for the booking's decision. */
export function reservedSeats(flight: ScheduledFlight, bookingId: string): ReservedSeats | undefined {
  const occupant = flight.occupancy.occupants.get(bookingId);
  if (occupant === undefined || occupant.change === null || automaticChange(flight, bookingId) !== undefined) {
    return undefined;
  }
  const { changeId, seats } = occupant.change;
  const { flightId } = flight.occupancy.plan;
  return { flightId, changeId, seats, surcharges: surchargesOf(flight.occupancy, occupant.cabin, seats) };
}

export interface AutomaticChange extends Omit<ReservedSeats, "surcharges"> {
  /** The cabin of the seats. */
  readonly cabin: Cabin;
}

/** Automatic seats that a flight has reserved, and that wait for the booking's decision. */
export function automaticChange(flight: ScheduledFlight, bookingId: string): AutomaticChange | undefined {
  const occupant = flight.occupancy.occupants.get(bookingId);
  if (occupant?.change?.automatic !== true) return undefined;
  const { changeId, seats } = occupant.change;
  return { flightId: flight.occupancy.plan.flightId, changeId, seats, cabin: occupant.cabin };
}
