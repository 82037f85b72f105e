import type { CabinPlan } from "../shared/cabin-plan.ts";
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

/** The seats of a cabin that are free, row by row from left to right. */
export function freeSeats(plan: CabinPlan, isFree: (seat: string) => boolean): readonly FreeSeat[] {
  const columns = columnsOf(plan);
  const aisles = aislesOf(plan);
  const blocks = columns.map((_, column) => aisles.filter((left) => left <= column).length);
  return seatsOf(plan)
    .filter(({ number }) => isFree(number))
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
/** No party sits closer. */
const NEIGHBOURS: Distance = { groups: 1, gaps: 0 };

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
 * Calls `found` for each; `closer` discards all earlier ones. The function reuses the array after the call. It ends where
 * `found` wants no other that is as close, and no closer one is possible.
 */
export function closestParties(
  places: readonly FreeSeat[],
  size: number,
  found: (party: readonly FreeSeat[], closer: boolean) => "enough" | undefined,
): void {
  let best: Distance | undefined;
  let isOver = false;
  for (const window of narrowestRowRanges(places, size)) {
    const party: FreeSeat[] = [];
    const extend = (from: number, distance: Distance): void => {
      if (best !== undefined && compare(distance, best) > 0) return;
      if (party.length === size) {
        const closer = best === undefined || compare(distance, best) < 0;
        best = distance;
        isOver = found(party, closer) === "enough" && compare(distance, NEIGHBOURS) === 0;
        return;
      }
      const last = party.at(-1);
      for (let index = from; index <= window.length - (size - party.length) && !isOver; index += 1) {
        const place = window[index] as FreeSeat;
        party.push(place);
        extend(index + 1, add(distance, last, place));
        party.pop();
      }
    };
    extend(0, NO_DISTANCE);
    if (isOver) return;
  }
}

/**
 * The shortest ranges of rows with enough free seats for a party, from the front. All have equal length, and no shorter
 * range is large enough, so a party seated in one spans all of it.
 */
function* narrowestRowRanges(places: readonly FreeSeat[], size: number): Generator<readonly FreeSeat[]> {
  const rowAt = (index: number) => places[index]?.row ?? Number.NaN;
  let narrowest = Number.POSITIVE_INFINITY;
  for (let last = size - 1; last < places.length && narrowest > 0; last += 1) {
    narrowest = Math.min(narrowest, rowAt(last) - rowAt(last - size + 1));
  }
  let end = 0;
  for (let first = 0; first < places.length; first += 1) {
    if (first > 0 && rowAt(first) === rowAt(first - 1)) continue;
    while (end < places.length && rowAt(end) <= rowAt(first) + narrowest) end += 1;
    if (end - first >= size) yield places.slice(first, end);
  }
}
