/** The one partition of an index that lists everything. */
export const ALL_PARTITION = "all";

/** Milliseconds since the epoch fit until the year 33658. */
const TIME_DIGITS = 15;
const REVISION_DIGITS = 10;

/** A moment (milliseconds since the epoch) as text that sorts as time does; before the epoch there is nothing. */
export function timeSortKey(at: number): string {
  return String(Math.max(at, 0)).padStart(TIME_DIGITS, "0");
}

/** The place of an event in its stream as text that sorts as the stream does. */
export function revisionSortKey(revision: number): string {
  return String(revision).padStart(REVISION_DIGITS, "0");
}
