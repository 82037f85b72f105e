import { bookingBody } from "@travel-booking/api-contract/bodies";
import { bookingAt, type ExistingBooking, isExistingBooking } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { BOOKINGS } from "../bookings.ts";
import { revisionSortKey, timeSortKey } from "../keys.ts";
import { historyEntry } from "./history-entry.ts";
import { findOwnSegment, lastSegmentBefore, segmentsFrom } from "./read-segments.ts";
import { bookingAfter, replay, type Segment } from "./segments.ts";

type Pages = Pick<ReadModels, "page">;

/**
 * A booking of this account at `now`: what has expired by then counts, recorded or not.
 * @throws ReadStoreUnavailable
 */
export async function findCurrentBooking(
  models: Pick<ReadModels, "document" | "body">,
  accountId: string,
  bookingId: string,
  now: number,
): Promise<ExistingBooking | undefined> {
  const open = await findOwnSegment(models, accountId, bookingId);
  const booking = open && bookingAt(bookingAfter(open), now);
  return booking !== undefined && isExistingBooking(booking) ? booking : undefined;
}

/** The public JSON of a booking after its last event at or before a moment; undefined before its creation. */
export async function bookingJsonAsOf(models: Pages, open: Segment, asOf: number): Promise<string | undefined> {
  const segment = await lastSegmentBefore(models, open, BOOKINGS.segment.byTime, timeSortKey(asOf + 1));
  const booking = segment && bookingAfter(segment, asOf);
  return booking !== undefined && isExistingBooking(booking) ? JSON.stringify(bookingBody(booking)) : undefined;
}

/** Entries of a booking's history, oldest first. `sort` and `after`: `revisionSortKey` of the event. */
export async function bookingHistory(
  models: Pages,
  open: Segment,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<{ readonly sort: string; readonly json: string }[]> {
  const last = after === undefined ? -1 : Number(after);
  const { byRevision } = BOOKINGS.segment;
  const start = (await lastSegmentBefore(models, open, byRevision, revisionSortKey(Math.max(last, 0) + 1))) ?? open;
  const entries: { readonly sort: string; readonly json: string }[] = [];
  for await (const segment of segmentsFrom(models, open, start, "ascending")) {
    for (const moment of replay(segment, ({ revision }) => revision > last)) {
      entries.push({ sort: revisionSortKey(moment.event.revision), json: JSON.stringify(historyEntry(moment)) });
      if (entries.length === limit) return entries;
    }
  }
  return entries;
}
