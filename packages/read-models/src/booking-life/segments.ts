import {
  type BookingEvent,
  type BookingState,
  type ExistingBooking,
  erase,
  eraseBooking,
  evolveBooking,
  isExistingBooking,
  mapWordsOfEvent,
} from "@travel-booking/domain";
import { HISTORY_TYPES } from "./history-changes.ts";
import { type PublicSnapshot, publicSnapshot } from "./public-snapshot.ts";

/** An event of a booking with its data from the log. */
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

/** Consecutive events of a booking, and the booking before them. Null: it was not created yet. */
export interface Segment {
  readonly bookingId: string;
  readonly start: ExistingBooking | null;
  /** Never empty. */
  readonly events: readonly RecordedBookingEvent[];
}

/** Why and when an event was recorded. The least changing fields come last. */
type Origin = readonly [requestId: string | null, at: number, actorKind: string, actorId: string];

/**
 * An event without field names, because they would be half of it. Its origin ends where the rest equals that of the
 * event before. The position is text, because JSON has no numbers that large.
 */
type StoredEvent = readonly [type: string, data: unknown, id: string, revision: number, position: string, ...unknown[]];

/** A segment as JSON. `SEGMENT` in words-of-models.ts says where its words are. */
export interface StoredSegment extends Pick<Segment, "start"> {
  readonly events: readonly StoredEvent[];
}

export function storeSegment({ start, events }: Pick<Segment, "start" | "events">): StoredSegment {
  let before: readonly unknown[] = [];
  const stored = events.map(
    ({ type, data, id, revision, position, at, metadata: { actor, requestId } }): StoredEvent => {
      const origin: Origin = [requestId, at, actor.kind, actor.id];
      const last = origin.findLastIndex((part, index) => part !== before[index]);
      before = origin;
      return [type, data, id, revision, String(position), ...origin.slice(0, last + 1)];
    },
  );
  return { start, events: stored };
}

export function parseSegment(bookingId: string, { start, events }: StoredSegment): Segment {
  let origin: readonly unknown[] = [];
  const parsed = events.map(([type, data, id, revision, position, ...own]) => {
    origin = [...own, ...origin.slice(own.length)];
    const [requestId, at, kind, actorId] = origin as Origin;
    const metadata = { actor: { kind, id: actorId }, requestId };
    return { type, data, id, revision, position: BigInt(position), at, metadata } as RecordedBookingEvent;
  });
  return { bookingId, start, events: parsed };
}

/** A segment without its personal words. */
export function eraseSegment({ start, events, ...rest }: Segment): Segment {
  const erased = events.map((event) => ({ ...event, data: mapWordsOfEvent(event.type, event.data, erase) }));
  return { ...rest, start: start && eraseBooking(start), events: erased as RecordedBookingEvent[] };
}

/** The first event of a segment. */
export function firstOf({ events }: Pick<Segment, "events">): RecordedBookingEvent {
  const [first] = events;
  if (first === undefined) throw new Error("a segment without events");
  return first;
}

/** The last event of a segment. */
export function lastOf({ events }: Pick<Segment, "events">): RecordedBookingEvent {
  return events.at(-1) ?? firstOf({ events });
}

/** The booking before the first event of a segment, as a copy that may be changed. */
function bookingBefore({ start }: Pick<Segment, "start">): BookingState {
  return start === null ? { status: "none" } : structuredClone(start);
}

/** The booking after the events of the segment up to `until`. */
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
  /** The name of the event in the history. */
  readonly historyType: string;
  readonly bookingId: string;
  readonly before: PublicSnapshot;
  readonly after: PublicSnapshot;
}

/** The moments of the wanted events of a segment, oldest first. */
export function* replay(segment: Segment, isWanted: (event: RecordedBookingEvent) => boolean): Generator<Moment> {
  const { bookingId, events } = segment;
  let booking = bookingBefore(segment);
  for (const event of events) {
    const historyType = isWanted(event) ? HISTORY_TYPES[event.type] : null;
    const before = historyType === null ? undefined : publicSnapshot(booking, event);
    booking = evolveBooking(booking, event);
    if (historyType === null || before === undefined || !isExistingBooking(booking)) continue;
    yield { event, historyType, bookingId, before, after: publicSnapshot(booking, event) };
  }
}
