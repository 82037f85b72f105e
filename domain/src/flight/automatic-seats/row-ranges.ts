import type { FreeSeat } from "./free-seats.ts";

/**
 * The narrowest stretches of rows that have room for a party, from the front. All of them are equally long, and none
 * shorter has the room, so whoever is seated in one spans all of it.
 */
export function narrowestRowRanges(places: readonly FreeSeat[], size: number): readonly (readonly FreeSeat[])[] {
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
