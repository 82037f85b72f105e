import type { BookingBody } from "@travel-booking/api-contract";
import { bookingBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingState,
  type ExistingBooking,
  eraseBooking,
  evolveBooking,
  isExistingBooking,
  saysWordsLeft,
} from "@travel-booking/domain";
import { changesOfBooking, type FieldChanges } from "./history-changes.ts";
import { CHANGES_STATUS_ONLY, type PublicEventDraft, publicEventsOf } from "./public-events.ts";
import {
  bookingAfter,
  eraseSegment,
  parseSegment,
  type RecordedBookingEvent,
  type Segment,
  type StoredSegment,
  storeSegment,
} from "./segments.ts";

/**
 * A segment is closed at so many events, because a reader replays it in one turn. It is also closed at so many
 * characters, unless the booking before it has more. Else a large booking is stored again every few events. Every
 * fourth event checks this.
 */
const MAX_EVENTS = 64;
const MAX_CHARACTERS = 16_384;
const LOOKED_AT = 4;

interface Appended {
  readonly life: BookingLife;
  /** The public events of the event. */
  readonly drafts: readonly PublicEventDraft[];
  /** The segment that ended before the event. */
  readonly closed: Segment | undefined;
}

/** A booking while events are added to it: its folded state, and its open segment. */
export class BookingLife {
  readonly booking: BookingState;
  readonly #open: Segment;

  private constructor(booking: BookingState, open: Segment) {
    this.booking = booking;
    this.#open = open;
  }

  /** By default before its first event. */
  static parse(bookingId: string, stored: StoredSegment = { start: null, events: [] }): BookingLife {
    const open = parseSegment(bookingId, stored);
    return new BookingLife(bookingAfter(open), open);
  }

  /**
   * Folds an event in. Afterwards only `stored` of this life may be used.
   * @throws Error the event can't follow.
   */
  append(event: RecordedBookingEvent): Appended {
    const before = CHANGES_STATUS_ONLY.test(event.type) ? null : bodyOf(this.booking);
    const closed = this.#closedBefore(event);
    const { start, events }: Pick<Segment, "start" | "events"> =
      closed === undefined ? this.#open : { start: this.#startBefore(event), events: [] };
    const booking = evolveBooking(this.booking, event);
    const open = { ...this.#open, start, events: [...events, event] };
    const changes = before === null ? NO_CHANGES : changesOfBooking(event, before, bodyOf(booking) ?? before);
    const drafts = isExistingBooking(booking) ? publicEventsOf(event, changes) : [];
    return { life: new BookingLife(booking, open), drafts, closed };
  }

  /** The open segment, which stays as it is when further events are added. */
  get stored(): StoredSegment {
    return storeSegment(this.#open);
  }

  /**
   * The open segment, if it ends here; else undefined. One of before a part is forgotten has no words any more, because whatever is
   * written with this event is sealed under the booking's new key.
   */
  #closedBefore({ type }: RecordedBookingEvent): Segment | undefined {
    if (saysWordsLeft(type)) return eraseSegment(this.#open);
    return this.#isFull ? this.#open : undefined;
  }

  #startBefore({ type }: RecordedBookingEvent): ExistingBooking {
    const { booking } = this;
    return (saysWordsLeft(type) ? eraseBooking(booking) : structuredClone(booking)) as ExistingBooking;
  }

  get #isFull(): boolean {
    const { length } = this.#open.events;
    if (length >= MAX_EVENTS) return true;
    if (length % LOOKED_AT !== 0) return false;
    const { start, events } = this.stored;
    const { length: characters } = JSON.stringify(events);
    return characters >= MAX_CHARACTERS && characters >= JSON.stringify(start).length;
  }
}

const NO_CHANGES: FieldChanges = {};

function bodyOf(booking: BookingState): BookingBody | null {
  return isExistingBooking(booking) ? bookingBody(booking) : null;
}
