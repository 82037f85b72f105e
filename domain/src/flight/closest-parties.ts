import type { CabinPlan } from "../shared/cabin-plan.ts";
import { aislesOf, columnsOf, rowsOf, type Seat } from "./seat-layout.ts";

/** A free seat and its position in the cabin. */
export interface FreeSeat {
  readonly seat: Seat;
  /** From the front, from 0. */
  readonly row: number;
  /** From the left, without aisles. */
  readonly column: number;
  /** Number of the block of seats between two aisles, from the left. */
  readonly block: number;
}

/** The seats of a cabin that are free, by rows, from left to right. */
export function freeSeats(plan: CabinPlan, isFree: (seat: string) => boolean): readonly (readonly FreeSeat[])[] {
  const columns = columnsOf(plan);
  const aisles = aislesOf(plan);
  const blocks = columns.map((_, column) => aisles.filter((left) => left <= column).length);
  return Array.from(rowsOf(plan), ({ seats }, row) =>
    seats
      .map((seat, column) => ({ seat, row, column, block: blocks[column] ?? 0 }))
      .filter(({ seat }) => isFree(seat.number)),
  );
}

/** How close a party sits: fewest groups of neighbours first, then fewest seats between them. */
export interface Distance {
  readonly groups: number;
  readonly gaps: number;
}

const NO_DISTANCE: Distance = { groups: 0, gaps: 0 };
/** How close a party sits, and where: its last row is so many behind the first. */
export interface PartyPlace extends Distance {
  readonly row: number;
  readonly rows: number;
}

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
 * @param closest there is no closer party, nor one as close further in front: looks for those as close from there on.
 */
export function closestParties(
  rows: readonly (readonly FreeSeat[])[],
  size: number,
  found: (party: readonly FreeSeat[], distance: Distance, closer: boolean) => "enough" | undefined,
  closest?: PartyPlace,
): void {
  let best: Distance | undefined = closest;
  let isOver = false;
  for (const window of narrowestRowRanges(rows, size, closest)) {
    const party: FreeSeat[] = [];
    const longest = longestRun(window);
    const extend = (from: number, distance: Distance): void => {
      if (best !== undefined && compare(leastDistance(distance, size - party.length, longest), best) > 0) return;
      if (party.length === size) {
        const closer = best === undefined || compare(distance, best) < 0;
        best = distance;
        isOver = found(party, distance, closer) === "enough" && compare(distance, closest ?? NEIGHBOURS) === 0;
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

/** The most free seats side by side. */
function longestRun(places: readonly FreeSeat[]): number {
  let longest = 0;
  let run = 0;
  for (const [index, place] of places.entries()) {
    run = add(NO_DISTANCE, places[index - 1], place).groups === 0 ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** No closer is a party that has this distance once so many more are added, of whom at most `longest` sit side by side. */
function leastDistance({ groups, gaps }: Distance, more: number, longest: number): Distance {
  return { groups: groups + Math.max(0, Math.ceil((more + 1) / longest) - 1), gaps };
}

/**
 * The shortest ranges of rows with enough free seats for a party, from the front. All have equal length, and no shorter
 * range is large enough, so a party seated in one spans all of it.
 * @param closest their length, and where they begin, if that is known.
 */
function* narrowestRowRanges(
  rows: readonly (readonly FreeSeat[])[],
  size: number,
  closest: PartyPlace | undefined,
): Generator<readonly FreeSeat[]> {
  const narrowest = closest?.rows ?? narrowestRange(rows, size);
  for (let first = closest?.row ?? 0; first < rows.length; first += 1) {
    if (rows[first]?.length === 0) continue;
    const range = rows.slice(first, first + narrowest + 1).flat();
    if (range.length >= size) yield range;
  }
}

/** How many rows further back the last passenger of a party sits at least. */
function narrowestRange(rows: readonly (readonly FreeSeat[])[], size: number): number {
  const freeIn = (row: number) => rows[row]?.length ?? 0;
  let narrowest = Number.POSITIVE_INFINITY;
  let first = 0;
  let free = 0;
  for (let last = 0; last < rows.length && narrowest > 0; last += 1) {
    free += freeIn(last);
    while (free - freeIn(first) >= size) {
      free -= freeIn(first);
      first += 1;
    }
    if (free >= size) narrowest = Math.min(narrowest, last - first);
  }
  return narrowest;
}
