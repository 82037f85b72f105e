import type { Instant } from "../shared/decision.ts";
import { seatStatus } from "./availability.ts";
import type { CabinPlan } from "./events.ts";
import type { Occupancy } from "./occupancy.ts";
import { aislesOf, columnsOf, type Seat, seatsOf } from "./seat-layout.ts";

/** A free seat and its position in the cabin. */
export interface FreeSeat {
  readonly seat: Seat;
  readonly row: number;
  /** From the left, without aisles. */
  readonly column: number;
  /** Number of the block of seats between two aisles, from the left. */
  readonly block: number;
}

/** Available seats of a cabin, row by row from left to right. */
export function freeSeats(occupancy: Occupancy, plan: CabinPlan, at: Instant): readonly FreeSeat[] {
  const columns = columnsOf(plan);
  const aisles = aislesOf(plan);
  const blocks = columns.map((_, column) => aisles.filter((left) => left <= column).length);
  return seatsOf(plan)
    .filter(({ number }) => seatStatus(occupancy, plan.cabin, number, at) === "available")
    .map((seat) => {
      const column = columns.indexOf(seat.column);
      return { seat, row: seat.row, column, block: blocks[column] ?? 0 };
    });
}

/** How close a party sits: fewest groups of neighbours first, then fewest seats between them. */
interface Distance {
  readonly groups: number;
  readonly gaps: number;
}

const NO_DISTANCE: Distance = { groups: 0, gaps: 0 };

/** The distance after adding `place`; `last` is the seat of the previous passenger. */
function add({ groups, gaps }: Distance, last: FreeSeat | undefined, place: FreeSeat): Distance {
  if (last === undefined || last.row !== place.row) return { groups: groups + 1, gaps };
  const between = place.column - last.column - 1;
  const isNeighbour = between === 0 && last.block === place.block;
  return { groups: isNeighbour ? groups : groups + 1, gaps: gaps + between };
}

function compare(one: Distance, other: Distance): number {
  return one.groups - other.groups || one.gaps - other.gaps;
}

/**
 * Finds the closest arrangements of a party in the free seats: spanning the fewest rows, then in the fewest groups of
 * neighbours (an aisle separates neighbours), then with the fewest seats between them; from the front and the left.
 * Calls `found` for each; `closer` discards all earlier ones. The function reuses the array after the call.
 */
export function closestParties(
  places: readonly FreeSeat[],
  size: number,
  found: (party: readonly FreeSeat[], closer: boolean) => void,
): void {
  let best: Distance | undefined;
  for (const window of narrowestRowRanges(places, size)) {
    const party: FreeSeat[] = [];
    const extend = (from: number, distance: Distance): void => {
      if (best !== undefined && compare(distance, best) > 0) return;
      if (party.length === size) {
        const closer = best === undefined || compare(distance, best) < 0;
        best = distance;
        found(party, closer);
        return;
      }
      const last = party.at(-1);
      for (let index = from; index <= window.length - (size - party.length); index += 1) {
        const place = window[index] as FreeSeat;
        party.push(place);
        extend(index + 1, add(distance, last, place));
        party.pop();
      }
    };
    extend(0, NO_DISTANCE);
  }
}

/**
 * The shortest ranges of rows with enough free seats for a party, from the front. All have equal length, and no shorter
 * range is large enough, so a party seated in one spans all of it.
 */
function narrowestRowRanges(places: readonly FreeSeat[], size: number): readonly (readonly FreeSeat[])[] {
  const rowAt = (index: number) => places[index]?.row ?? Number.NaN;
  let narrowest = Number.POSITIVE_INFINITY;
  for (let last = size - 1; last < places.length; last += 1) {
    narrowest = Math.min(narrowest, rowAt(last) - rowAt(last - size + 1));
  }
  const windows: (readonly FreeSeat[])[] = [];
  let end = 0;
  for (let first = 0; first < places.length; first += 1) {
    if (first > 0 && rowAt(first) === rowAt(first - 1)) continue;
    while (end < places.length && rowAt(end) <= rowAt(first) + narrowest) end += 1;
    if (end - first >= size) windows.push(places.slice(first, end));
  }
  return windows;
}
