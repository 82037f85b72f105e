import type { BookingBody } from "@travel-booking/api-contract";
import { bookingBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingState,
  type ExistingBooking,
  evolveBooking,
  isExistingBooking,
  pendingCharges,
} from "@travel-booking/domain";
import { changesBetween } from "./history-changes.ts";
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
  /** Its public form; null before its creation. */
  readonly body: BookingBody | null;
  readonly #open: OpenSegment;

  private constructor(bookingId: string, booking: BookingState, open: OpenSegment) {
    this.bookingId = bookingId;
    this.booking = booking;
    this.body = isExistingBooking(booking) ? bookingBody(booking) : null;
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
    // A charge and its end stay together, for its end may hide its beginning.
    const isFull = this.#open.rows.length >= MAX_EVENTS || this.#open.context.characters >= MAX_CHARACTERS;
    const closes = isFull && pendingCharges(this.booking).length === 0;
    const closed = closes ? this.toJSON() : undefined;
    const { start, rows, context } = closed === undefined ? this.#open : this.#nextSegment();
    const open = { start, rows: [...rows, context.encode(event)], context };
    const life = new BookingLife(this.bookingId, evolveBooking(this.booking, event), open);
    const drafts = life.body === null ? [] : publicEventsOf(event, changesBetween(this.body, life.body));
    return { life, drafts, closed };
  }

  toJSON(): StoredSegment {
    return [this.#open.start, ...this.#open.rows];
  }

  #nextSegment(): OpenSegment {
    const start = structuredClone(this.booking) as ExistingBooking;
    return { start, rows: [], context: new RowContext(this.bookingId, start) };
  }
}
