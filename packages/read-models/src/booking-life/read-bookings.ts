import { bookingBody } from "@travel-booking/api-contract/bodies";
import { bookingAt, type ExistingBooking, isExistingBooking } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { BOOKINGS } from "../bookings.ts";
import { revisionSortKey, timeSortKey } from "../keys.ts";
import type { BookingPast, PastEntry } from "./booking-past.ts";
import { historyEntry } from "./history-entry.ts";
import { eventsOf } from "./read-events.ts";
import { findOwnSegment, lastSegmentBefore, segmentsFrom } from "./read-segments.ts";
import { bookingAfter, replay, type Segment } from "./segments.ts";

type Pages = Pick<ReadModels, "page">;

/** A booking of this account at `now`: what has expired by then counts, recorded or not. */
export async function findCurrentBooking(
  models: Pick<ReadModels, "document">,
  accountId: string,
  bookingId: string,
  now: number,
): Promise<ExistingBooking | undefined> {
  const open = await findOwnSegment(models, accountId, bookingId);
  const booking = open && bookingAt(bookingAfter(open), now);
  return booking !== undefined && isExistingBooking(booking) ? booking : undefined;
}

/** What happened to a booking of this account. */
export async function findBookingPast(
  models: Pick<ReadModels, "document" | "page">,
  accountId: string,
  bookingId: string,
): Promise<BookingPast | undefined> {
  const open = await findOwnSegment(models, accountId, bookingId);
  if (open === undefined) return undefined;
  return {
    history: (range) => historyOf(models, open, range),
    jsonAsOf: (moment) => jsonAsOf(models, open, moment),
    events: (range, isWanted) => eventsOf(models, open, range, isWanted),
  };
}

async function jsonAsOf(models: Pages, open: Segment, asOf: number): Promise<string | undefined> {
  const segment = await lastSegmentBefore(models, open, BOOKINGS.segment.byTime, timeSortKey(asOf + 1));
  const booking = segment && bookingAfter(segment, asOf);
  return booking !== undefined && isExistingBooking(booking) ? JSON.stringify(bookingBody(booking)) : undefined;
}

async function historyOf(
  models: Pages,
  open: Segment,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<readonly PastEntry[]> {
  const last = after === undefined ? -1 : Number(after);
  const { byRevision } = BOOKINGS.segment;
  const start = (await lastSegmentBefore(models, open, byRevision, revisionSortKey(Math.max(last, 0) + 1))) ?? open;
  const entries: PastEntry[] = [];
  for await (const segment of segmentsFrom(models, open, start, "ascending")) {
    for (const moment of replay(segment, ({ revision }) => revision > last)) {
      entries.push({ sort: revisionSortKey(moment.event.revision), json: JSON.stringify(historyEntry(moment)) });
      if (entries.length === limit) return entries;
    }
  }
  return entries;
}
