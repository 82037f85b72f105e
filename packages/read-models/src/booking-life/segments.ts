import {
  type BookingEvent,
  type BookingState,
  type ExistingBooking,
  evolveBooking,
  isExistingBooking,
} from "@travel-booking/domain";
import { HISTORY_TYPES } from "./history-changes.ts";
import { type PublicSnapshot, publicSnapshot } from "./public-snapshot.ts";

/** An event of a booking with what the log says about it. */
export type RecordedBookingEvent = BookingEvent & {
  readonly id: string;
  /** In the booking's stream. */
  readonly revision: number;
  /** In the log. */
  readonly position: bigint;
  readonly metadata: {
    readonly actor: { readonly kind: "credential" | "operator" | "system"; readonly id: string };
    readonly requestId: string | null;
  };
};

/** The same as JSON, which has no such large numbers. */
export type StoredBookingEvent = Omit<RecordedBookingEvent, "position"> & { readonly position: string };

/** Consecutive events of a booking, and the booking before them: null before its creation. JSON. */
export interface StoredSegment {
  readonly start: ExistingBooking | null;
  readonly events: readonly StoredBookingEvent[];
}

export interface Segment {
  readonly bookingId: string;
  readonly start: ExistingBooking | null;
  /** Never empty. */
  readonly events: readonly RecordedBookingEvent[];
}

export function storedEvent({ id, type, at, revision, position, metadata, data }: RecordedBookingEvent) {
  const { actor, requestId } = metadata;
  const stored = { id, type, at, revision, position: String(position), metadata: { actor, requestId }, data };
  return stored as StoredBookingEvent;
}

export function parseSegment(bookingId: string, { start, events }: StoredSegment): Segment {
  const parsed = events.map((event) => ({ ...event, position: BigInt(event.position) }) as RecordedBookingEvent);
  return { bookingId, start, events: parsed };
}

/** The first event of a segment. */
export function firstOf({ events }: Pick<Segment, "events">): RecordedBookingEvent {
  const [first] = events;
  if (first === undefined) throw new Error("a segment without events");
  return first;
}

/** The booking before the first event of a segment, as a copy that may be changed. */
function bookingBefore({ start }: Pick<Segment, "start">): BookingState {
  return start === null ? { status: "none" } : structuredClone(start);
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
