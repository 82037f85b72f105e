import type { BookingBody } from "@travel-booking/api-contract";
import { bookingBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingState,
  type ExistingBooking,
  evolveBooking,
  isExistingBooking,
  pendingCharges,
} from "@travel-booking/domain";
import { changesBetween, type FieldChanges } from "./history-changes.ts";
import { type PublicEventDraft, publicEventsOf } from "./public-events.ts";
import { type RecordedBookingEvent, RowContext, type StoredRow } from "./rows.ts";
import { bookingAfter, parseSegment, type StoredSegment } from "./segments.ts";

/** A segment is closed when it has so many events, or about so many characters of events. */
const MAX_EVENTS = 64;
const MAX_CHARACTERS = 16_384;

interface OpenSegment {
  readonly start: ExistingBooking | null;
  readonly rows: readonly StoredRow[];
  readonly context: RowContext;
}

interface Appended {
  readonly life: BookingLife;
  /** The public events of the event. */
  readonly drafts: readonly PublicEventDraft[];
  /** The segment that ended before the event. */
  readonly closed: StoredSegment | undefined;
}

/**
 * A booking while events are added to it: its folded state, and the events of its open segment. JSON is its
 * `StoredSegment`, which stays as it was when further events are added.
 */
export class BookingLife {
  readonly bookingId: string;
  readonly booking: BookingState;
  readonly #open: OpenSegment;

  private constructor(bookingId: string, booking: BookingState, open: OpenSegment) {
    this.bookingId = bookingId;
    this.booking = booking;
    this.#open = open;
  }

  /** By default before its first event. */
  static parse(bookingId: string, stored: StoredSegment = [null]): BookingLife {
    const [start, ...rows] = stored;
    const context = new RowContext(bookingId, start);
    return new BookingLife(bookingId, bookingAfter(parseSegment(bookingId, stored, context)), { start, rows, context });
  }

  /**
   * Folds an event in. This life must not be used afterwards, but for its JSON.
   * @throws Error the event can't follow.
   */
  append(event: RecordedBookingEvent): Appended {
    const before = CHANGES_STATUS_ONLY.test(event.type) ? null : bodyOf(this.booking);
    // A charge and its end stay together, for its end may hide its beginning.
    const isFull = this.#open.rows.length >= MAX_EVENTS || this.#open.context.characters >= MAX_CHARACTERS;
    const closes = isFull && pendingCharges(this.booking).length === 0;
    const closed = closes ? this.toJSON() : undefined;
    const { start, rows, context } = closed === undefined ? this.#open : this.#nextSegment();
    const booking = evolveBooking(this.booking, event);
    const open = { start, rows: [...rows, context.encode(event)], context };
    const changes = before === null ? NO_CHANGES : changesBetween(before, bodyOf(booking) ?? before);
    const drafts = isExistingBooking(booking) ? publicEventsOf(event, changes) : [];
    return { life: new BookingLife(this.bookingId, booking, open), drafts, closed };
  }

  toJSON(): StoredSegment {
    return [this.#open.start, ...this.#open.rows];
  }

  #nextSegment(): OpenSegment {
    const start = structuredClone(this.booking) as ExistingBooking;
    return { start, rows: [], context: new RowContext(this.bookingId, start) };
  }
}

const NO_CHANGES: FieldChanges = {};

/** The events of money change nothing of a booking's public form but its status; an erasure is no public event. */
const CHANGES_STATUS_ONLY = /^(BookingCreated|BookingConfirmed|BookingErased|Payment|Transfer|Return|Refund)/;

function bodyOf(booking: BookingState): BookingBody | null {
  return isExistingBooking(booking) ? bookingBody(booking) : null;
}
