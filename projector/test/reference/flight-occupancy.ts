import {
  assertNever,
  type Cabin,
  type CabinLayout,
  type EquipmentChanged,
  type FlightEvent,
  type FlightPlan,
  type FlightScheduled,
  type Instant,
  layoutOf,
  type SeatsHeld,
} from "@travel-booking/domain";

/*
 * The reference for the projection of flights: an occupancy with every hold and booking in memory, which knows nothing
 * of documents. Everything here is on purpose independent of the fold in the domain.
 */

/** The seats and capacity of a booking on the flight now. */
interface Occupant {
  readonly bookingId: string;
  readonly cabin: Cabin;
  readonly passengers: number;
  /** Empty until the booking has seats. */
  readonly seats: readonly string[];
  /**
   * New seats reserved beside the old; a passenger's old and new seat together count once against the capacity. With a
   * cabin, the change also takes capacity there until it ends.
   */
  readonly overfull?: true;
  readonly change: { readonly changeId: string; readonly seats: readonly string[]; readonly cabin?: Cabin } | null;
}

/** Capacity of one cabin, in passengers. `committed` counts passengers, seated or not. */
interface CabinCapacity {
  readonly layout: CabinLayout;
  /** Seats that operators have blocked. */
  readonly blocked: Set<string>;
  committed: number;
  held: number;
  /** Passengers who have no place in it. */
  overfull: number;
}

/** The holds and bookings of a flight. The decider and the read models fold it by the same rules. */
export interface Occupancy {
  /** With the current fares. */
  plan: FlightPlan;
  sale: "open" | "closed" | "cancelled";
  cabins: ReadonlyMap<Cabin, CabinCapacity>;
  /** Those whose end is not recorded. */
  readonly holds: Map<string, ActiveHold>;
  readonly occupants: Map<string, Occupant>;
  /**
   * By seat number. A freed seat keeps its entry, as null: deleting a key slows down its bucket until the next rebuild
   * of the map, which would hurt a seat that clients hold and release repeatedly.
   */
  readonly heldBy: Map<string, ActiveHold | null>;
  /** The booking by seat number; null as above. */
  readonly bookedBy: Map<string, string | null>;
}

/** Events that change occupancy or fares of a scheduled flight. */
type OccupancyEvent = Exclude<FlightEvent, FlightScheduled>;

export function emptyOccupancy(plan: FlightPlan): Occupancy {
  return {
    plan,
    sale: "open",
    cabins: emptyCabins(plan),
    holds: new Map(),
    occupants: new Map(),
    heldBy: new Map(),
    bookedBy: new Map(),
  };
}

function emptyCabins({ cabins }: FlightPlan): Occupancy["cabins"] {
  const empty = { committed: 0, held: 0, overfull: 0 };
  return new Map(
    cabins.map((cabin) => [cabin.cabin, { layout: layoutOf(cabin), blocked: new Set<string>(), ...empty }]),
  );
}

/** Everybody gets off, and on again. */
function changeShip(occupancy: Occupancy, { cabins, reseated }: EquipmentChanged["data"]): void {
  const holds = [...occupancy.holds.values()];
  const occupants = [...occupancy.occupants.values()];
  for (const { holdId } of holds) endHold(occupancy, holdId);
  for (const { bookingId } of occupants) removeOccupant(occupancy, bookingId);
  occupancy.plan = { ...occupancy.plan, cabins };
  occupancy.cabins = emptyCabins(occupancy.plan);
  for (const hold of holds) addHold(occupancy, hold);
  for (const { overfull: _, ...occupant } of occupants) {
    const moved = reseated.find(({ bookingId }) => bookingId === occupant.bookingId);
    const { seats, overfull } = { overfull: _, ...(moved ?? { seats: occupant.seats }) };
    addOccupant(occupancy, { ...occupant, seats, ...(overfull && { overfull }) });
  }
}

function addHold(occupancy: Occupancy, hold: ActiveHold): void {
  occupancy.holds.set(hold.holdId, hold);
  for (const seat of hold.seats) occupancy.heldBy.set(seat, hold);
  const room = occupancy.cabins.get(hold.cabin);
  if (room !== undefined) room.held += hold.seats.length;
}

function endHold(occupancy: Occupancy, holdId: string | null): void {
  const hold = holdId === null ? undefined : occupancy.holds.get(holdId);
  if (hold === undefined) return;
  occupancy.holds.delete(hold.holdId);
  // A new hold may take a seat before the expiry of its old hold is recorded.
  for (const seat of hold.seats) if (occupancy.heldBy.get(seat) === hold) occupancy.heldBy.set(seat, null);
  const room = occupancy.cabins.get(hold.cabin);
  if (room !== undefined) room.held -= hold.seats.length;
}

function addOccupant(occupancy: Occupancy, occupant: Occupant): void {
  setOccupant(occupancy, occupant);
  const room = occupancy.cabins.get(occupant.cabin);
  if (occupant.overfull) {
    if (room !== undefined) room.overfull += occupant.passengers;
    return;
  }
  commit(occupancy, occupant.cabin, occupant.passengers);
  if (occupant.change !== null) commit(occupancy, occupant.change.cabin, occupant.passengers);
}

/** Takes capacity in a cabin, or releases it. */
function commit(occupancy: Occupancy, cabin: Cabin | undefined, places: number): void {
  const room = cabin && occupancy.cabins.get(cabin);
  if (room !== undefined) room.committed += places;
}

function removeOccupant(occupancy: Occupancy, bookingId: string): void {
  const occupant = occupancy.occupants.get(bookingId);
  if (occupant === undefined) return;
  setOccupant(occupancy, { ...occupant, seats: [], change: null });
  occupancy.occupants.delete(bookingId);
  const room = occupancy.cabins.get(occupant.cabin);
  if (occupant.overfull) {
    if (room !== undefined) room.overfull -= occupant.passengers;
    return;
  }
  commit(occupancy, occupant.cabin, -occupant.passengers);
  commit(occupancy, occupant.change?.cabin, -occupant.passengers);
}

/** Moves a booking to other seats; its capacity does not change. */
function setOccupant(occupancy: Occupancy, occupant: Occupant): void {
  const before = occupancy.occupants.get(occupant.bookingId);
  for (const seat of occupiedSeats(before)) occupancy.bookedBy.set(seat, null);
  for (const seat of occupiedSeats(occupant)) occupancy.bookedBy.set(seat, occupant.bookingId);
  occupancy.occupants.set(occupant.bookingId, occupant);
}

function occupiedSeats(occupant: Occupant | undefined): readonly string[] {
  if (occupant === undefined) return [];
  return occupant.change === null ? occupant.seats : [...occupant.seats, ...occupant.change.seats];
}

/** Ends the open change of a booking, with the new or the old seats. */
function closeChange(occupancy: Occupancy, bookingId: string, changeId: string, outcome: "applied" | "dropped"): void {
  const occupant = occupancy.occupants.get(bookingId);
  if (occupant?.change?.changeId !== changeId) return;
  const { seats, cabin = occupant.cabin } = occupant.change;
  if (outcome === "dropped") {
    commit(occupancy, occupant.change.cabin, -occupant.passengers);
    setOccupant(occupancy, { ...occupant, change: null });
    return;
  }
  if (cabin !== occupant.cabin) commit(occupancy, occupant.cabin, -occupant.passengers);
  setOccupant(occupancy, { ...occupant, cabin, seats, change: null });
}

/** Folds one event in. Mutates the occupancy and returns it. */
export function evolveOccupancy(occupancy: Occupancy, event: OccupancyEvent): Occupancy {
  switch (event.type) {
    case "FareChanged": {
      const { cabin, amount } = event.data;
      const cabins = occupancy.plan.cabins.map((plan) => (plan.cabin === cabin ? { ...plan, amount } : plan));
      occupancy.plan = { ...occupancy.plan, cabins };
      break;
    }
    case "SeatsHeld":
      addHold(occupancy, event.data);
      break;
    case "SeatHoldReleased":
    case "SeatHoldExpired":
      endHold(occupancy, event.data.holdId);
      break;
    case "SeatsAllocated": {
      const { bookingId, cabin, passengers, seats, holdId } = event.data;
      endHold(occupancy, holdId);
      addOccupant(occupancy, { bookingId, cabin, passengers, seats, change: null });
      break;
    }
    case "SeatChangeReserved": {
      const { bookingId, changeId, seats, holdId, cabin } = event.data;
      endHold(occupancy, holdId);
      const occupant = occupancy.occupants.get(bookingId);
      if (occupant === undefined) break;
      const change = { changeId, seats, ...(cabin !== undefined && { cabin }) };
      setOccupant(occupancy, { ...occupant, change });
      commit(occupancy, cabin, occupant.passengers);
      break;
    }
    case "SeatChangeApplied":
      closeChange(occupancy, event.data.bookingId, event.data.changeId, "applied");
      break;
    case "SeatChangeDropped":
      closeChange(occupancy, event.data.bookingId, event.data.changeId, "dropped");
      break;
    case "AllocationReleased":
      removeOccupant(occupancy, event.data.bookingId);
      break;
    case "SeatBlocked":
      occupancy.cabins.get(event.data.cabin)?.blocked.add(event.data.seat);
      break;
    case "SeatUnblocked":
      occupancy.cabins.get(event.data.cabin)?.blocked.delete(event.data.seat);
      break;
    case "SalesClosed":
      occupancy.sale = "closed";
      break;
    case "SalesOpened":
      occupancy.sale = "open";
      break;
    case "FlightCancelled":
      occupancy.sale = "cancelled";
      break;
    case "FlightReinstated":
      occupancy.sale = event.data.sale;
      break;
    case "FlightRetimed": {
      const { departsAt, durationDays } = event.data;
      occupancy.plan = { ...occupancy.plan, departsAt, durationDays };
      break;
    }
    case "EquipmentChanged":
      changeShip(occupancy, event.data);
      break;
    case "SeatsPaid":
    case "SeatsRefunded":
    case "SeatsRefundUndone":
    case "DisruptionPaused":
    case "DisruptionResumed":
    case "DisruptionEnded":
      break;
    default:
      assertNever(event);
  }
  return occupancy;
}

type ActiveHold = Pick<SeatsHeld["data"], "holdId" | "cabin" | "seats" | "expiresAt">;

/** The holds that have lapsed by that moment and whose end is not recorded. */
export function expiredHolds({ holds }: Occupancy, at: Instant): readonly ActiveHold[] {
  return [...holds.values()].filter(({ expiresAt }) => expiresAt <= at);
}
