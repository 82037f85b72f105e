import type { BookingBody } from "@travel-booking/api-contract";
import { bookingBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingState,
  type ExistingBooking,
  evolveBooking,
  isExistingBooking,
  pendingCharges,
} from "@travel-booking/domain";
import { changesOfBooking, type FieldChanges } from "./history-changes.ts";
import { type PublicEventDraft, publicEventsOf } from "./public-events.ts";
import {
  bookingAfter,
  parseSegment,
  type RecordedBookingEvent,
  type StoredBookingEvent,
  type StoredSegment,
  storedEvent,
} from "./segments.ts";

/** A segment is closed when it has so many events, or about so many characters of events. */
const MAX_EVENTS = 64;
const MAX_CHARACTERS = 16_384;

interface OpenSegment extends StoredSegment {
  /** About as many as its events have as JSON. */
  readonly characters: number;
}

const EMPTY: OpenSegment = { start: null, events: [], characters: 0 };

interface Appended {
  readonly life: BookingLife;
  /** The public events of the event. */
  readonly drafts: readonly PublicEventDraft[];
  /** The segment that ended before the event. */
  readonly closed: StoredSegment | undefined;
}

/** A booking while events are added to it: its folded state, and the events of its open segment. */
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
  static parse(bookingId: string, stored: StoredSegment = EMPTY): BookingLife {
    const { start, events } = stored;
    const characters = events.reduce((sum, event) => sum + charactersOf(event), 0);
    const booking = bookingAfter(parseSegment(bookingId, stored));
    return new BookingLife(bookingId, booking, { start, events, characters });
  }

  /**
   * Folds an event in. This life must not be used afterwards, but for what is stored of it.
   * @throws Error the event can't follow.
   */
  append(event: RecordedBookingEvent): Appended {
    const before = CHANGES_STATUS_ONLY.test(event.type) ? null : bodyOf(this.booking);
    // A charge and its end stay together, for its end may hide its beginning.
    const isFull = this.#open.events.length >= MAX_EVENTS || this.#open.characters >= MAX_CHARACTERS;
    const closes = isFull && pendingCharges(this.booking).length === 0;
    const closed = closes ? this.stored : undefined;
    const { start, events, characters } = closed === undefined ? this.#open : this.#nextSegment();
    const booking = evolveBooking(this.booking, event);
    const stored = storedEvent(event);
    const open = { start, events: [...events, stored], characters: characters + charactersOf(stored) };
    const changes = before === null ? NO_CHANGES : changesOfBooking(event, before, bodyOf(booking) ?? before);
    const drafts = isExistingBooking(booking) ? publicEventsOf(event, changes) : [];
    return { life: new BookingLife(this.bookingId, booking, open), drafts, closed };
  }

  /** The open segment, which stays as it is when further events are added. */
  get stored(): StoredSegment {
    const { start, events } = this.#open;
    return { start, events };
  }

  #nextSegment(): OpenSegment {
    return { ...EMPTY, start: structuredClone(this.booking) as ExistingBooking };
  }
}

function charactersOf({ data }: StoredBookingEvent): number {
  return JSON.stringify(data).length;
}

const NO_CHANGES: FieldChanges = {};

/** The events of money change nothing of a booking's public form but its status; an erasure is no public event. */
const CHANGES_STATUS_ONLY = /^(BookingCreated|BookingConfirmed|BookingErased|Payment|Transfer|Return|Refund)/;

function bodyOf(booking: BookingState): BookingBody | null {
  return isExistingBooking(booking) ? bookingBody(booking) : null;
}
