import { type BookingState, type ExistingBooking, evolveBooking, isExistingBooking } from "@travel-booking/domain";
import { HISTORY_TYPES } from "./history-changes.ts";
import { type PublicSnapshot, publicSnapshot } from "./public-snapshot.ts";
import { type RecordedBookingEvent, RowContext, type StoredRow } from "./rows.ts";

/** What a segment begins with: the booking before its first event. JSON. */
export interface SegmentStart {
  readonly booking: ExistingBooking;
  /** Log positions, as text, at which bank entries, returns, refunds, disputes and documents were created. */
  readonly created: readonly (readonly [id: string, position: string])[];
}

/** Consecutive events of a booking, and the booking before them: null before its creation. JSON. */
export type StoredSegment = readonly [start: SegmentStart | null, ...rows: StoredRow[]];

export interface Segment {
  readonly bookingId: string;
  readonly start: SegmentStart | null;
  /** Never empty. */
  readonly events: readonly RecordedBookingEvent[];
}

/** The context in which the rows of a segment are decoded, and further events encoded behind them. */
export function rowContext(bookingId: string, start: SegmentStart | null): RowContext {
  return new RowContext(bookingId, start?.booking.accountId);
}

export function parseSegment(
  bookingId: string,
  [start, ...rows]: StoredSegment,
  context = rowContext(bookingId, start),
): Segment {
  return { bookingId, start, events: rows.map((row) => context.decode(row)) };
}

/** The first event of a segment. */
export function firstOf({ events }: Pick<Segment, "events">): RecordedBookingEvent {
  const [first] = events;
  if (first === undefined) throw new Error("a segment without events");
  return first;
}

/** Log positions at which bank entries, returns, refunds, disputes and documents were created up to the end of a segment, by their ids. */
export function createdIn({ start, events }: Segment): ReadonlyMap<string, bigint> {
  const created = new Map((start?.created ?? []).map(([id, position]) => [id, BigInt(position)]));
  for (const { type, data, position } of events) {
    if (type === "PaymentStarted" && data.method.type === "bank_transfer") created.set(data.paymentId, position);
    if (type === "TransferReceived") created.set(data.entryId, position);
    if (type === "ReturnDue") created.set(data.returnId, position);
    if (type === "RefundStarted") created.set(data.refundId, position);
    // Its row goes when it has arrived. One that fails after that is created anew.
    if (type === "RefundSucceeded") created.set(arrivalOf(data.refundId), position);
    if (type === "RefundFailed" && created.delete(arrivalOf(data.refundId))) created.set(data.refundId, position);
    if (type === "PaymentDisputed" && !created.has(data.disputeId)) created.set(data.disputeId, position);
    if (type === "DocumentUploaded") created.set(data.documentId, position);
  }
  return created;
}

const arrivalOf = (refundId: string) => `${refundId}/arrived`;

/** The booking before the first event of a segment, as a copy that may be changed. */
function bookingBefore({ start }: Pick<Segment, "start">): BookingState {
  return start === null ? { status: "none" } : structuredClone(start.booking);
}

/** The booking after those events of the segment that happened at `until` or earlier. */
export function bookingAfter(segment: Segment, until = Number.POSITIVE_INFINITY): BookingState {
  let booking = bookingBefore(segment);
  for (const event of segment.events) {
    if (event.at > until) break;
    booking = evolveBooking(booking, event);
  }
  return booking;
}

/** An event that an account can see, with what it changed. */
export interface Moment {
  readonly event: RecordedBookingEvent;
  /** Its name in the history. */
  readonly historyType: string;
  readonly bookingId: string;
  readonly before: PublicSnapshot;
  readonly after: PublicSnapshot;
}

/**
 * The moments of a segment whose events are wanted, oldest first; without the beginning of payments that were withdrawn,
 * which a segment has both or neither of.
 */
export function* replay(segment: Segment, isWanted: (event: RecordedBookingEvent) => boolean): Generator<Moment> {
  const { bookingId, events } = segment;
  const withdrawn = new Set(events.map((event) => event.type === "PaymentWithdrawn" && event.data.paymentId));
  let booking = bookingBefore(segment);
  for (const event of events) {
    const isShown = event.type !== "PaymentStarted" || !withdrawn.has(event.data.paymentId);
    const historyType = isShown && isWanted(event) ? HISTORY_TYPES[event.type] : null;
    const before = historyType === null ? undefined : publicSnapshot(booking, event);
    booking = evolveBooking(booking, event);
    if (historyType === null || before === undefined || !isExistingBooking(booking)) continue;
    yield { event, historyType, bookingId, before, after: publicSnapshot(booking, event) };
  }
}
