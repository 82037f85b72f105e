import { bookingBody, paymentBody, refundBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingState,
  bookingAt,
  bookingIdOfPayment,
  bookingIdOfRefund,
  type ExistingBooking,
  findPayment,
  findRefund,
  type Instant,
  isExistingBooking,
  isWithdrawn,
} from "@travel-booking/domain";
import type { PageRequest } from "@travel-booking/engines/read-store";
import { BOOKINGS } from "../bookings.ts";
import { revisionSortKey, timeSortKey } from "../keys.ts";
import { historyEntry } from "./history-entry.ts";
import { type EventRange, eventsOf, type FoundJson, type IsWanted } from "./read-events.ts";
import { findSegments, MAX_READ, type Models, readPart } from "./read-segments.ts";
import { bookingAfter, firstOf, lastOf, type RecordedBookingEvent, replay, type Segment } from "./segments.ts";

/** A booking of this account at `now`: what has expired by then counts, recorded or not. */
export async function findCurrentBooking(
  models: Models,
  accountId: string,
  bookingId: string,
  now: number,
): Promise<ExistingBooking | undefined> {
  return (await findUpdatedBooking(models, accountId, bookingId, now))?.booking;
}

/** The same, and when something last happened to it, whether its history shows that or not. */
export async function findUpdatedBooking(
  models: Models,
  accountId: string,
  bookingId: string,
  now: number,
): Promise<{ readonly booking: ExistingBooking; readonly updatedAt: Instant } | undefined> {
  const segments = await findSegments(models, bookingId, accountId);
  if (segments === undefined) return undefined;
  const recorded = bookingAfter(segments.open);
  const booking = bookingAt(recorded, now);
  if (!isExistingBooking(booking)) return undefined;
  return { booking, updatedAt: booking === recorded ? lastOf(segments.open).at : now };
}

type Asked = readonly [models: Models, accountId: string, ids: readonly string[], now: number];

/** The JSON of payments of this account at `now`, as they are listed; undefined for those that are not there. */
export function jsonOfPayments(...asked: Asked): Promise<FoundJson> {
  return jsonFromBookings(asked, bookingIdOfPayment, (booking, bookingId, id) => {
    const payment = findPayment(booking, id);
    return payment && paymentBody({ bookingId }, payment);
  });
}

/** The same of refunds. */
export function jsonOfRefunds(...asked: Asked): Promise<FoundJson> {
  return jsonFromBookings(asked, bookingIdOfRefund, (booking, _, id) => {
    const refund = findRefund(booking, id);
    return refund && refundBody(refund);
  });
}

/** Reads a booking once for all that it has of these. */
async function jsonFromBookings(
  [models, accountId, ids, now]: Asked,
  bookingIdOf: (id: string) => string | undefined,
  bodyOf: (booking: BookingState, bookingId: string, id: string) => object | undefined,
): Promise<FoundJson> {
  const json: (string | undefined)[] = [];
  const known = new Map<string, BookingState | undefined>();
  let read = 0;
  for (const id of ids) {
    const bookingId = bookingIdOf(id) ?? "";
    if (!known.has(bookingId)) {
      if (read >= MAX_READ) break;
      const segments = await findSegments(models, bookingId, accountId);
      known.set(bookingId, segments && bookingAt(bookingAfter(segments.open), now));
      read += segments?.open.size ?? 0;
    }
    const booking = known.get(bookingId);
    const body = booking && bodyOf(booking, bookingId, id);
    json.push(body && JSON.stringify(body));
  }
  return { json, more: read >= MAX_READ, size: read };
}

/** What happened to a booking of this account. */
export async function findBookingPast(models: Models, accountId: string, bookingId: string) {
  const segments = await findSegments(models, bookingId, accountId);
  if (segments === undefined) return undefined;
  return {
    /** Entries of its history, oldest first. `sort` and `after`: `revisionSortKey` of the event. */
    history({ after, limit }: Pick<PageRequest, "after" | "limit">) {
      const last = after === undefined ? -1 : Number(after);
      const behind = segments.from("ascending", BOOKINGS.segment.byRevision, revisionSortKey(last + 2));
      const present = bookingAfter(segments.open);
      // Of a payment that was withdrawn since, the beginning is not shown either.
      const isShown = (event: RecordedBookingEvent) =>
        event.revision > last && !(event.type === "PaymentStarted" && isWithdrawn(present, event.data.paymentId));
      const entriesOf = (segment: Segment) =>
        replay(segment, isShown).map((moment) => {
          return { sort: revisionSortKey(moment.event.revision), json: JSON.stringify(historyEntry(moment)) };
        });
      return readPart(behind, limit, entriesOf, (segment) => revisionSortKey(firstOf(segment).revision - 1));
    },
    /** Its public JSON after its last event at or before a moment; undefined before its creation. */
    async jsonAsOf(moment: number): Promise<string | undefined> {
      const segment = await segments.lastBefore(BOOKINGS.segment.byTime, timeSortKey(moment + 1));
      const booking = segment && bookingAfter(segment, moment);
      return booking && isExistingBooking(booking) ? JSON.stringify(bookingBody(booking)) : undefined;
    },
    /** The public events that are wanted, those of its payments included. */
    events: (range: EventRange, isWanted: IsWanted) => eventsOf(segments, range, isWanted),
  };
}
