import type { BookingBody } from "@travel-booking/api-contract";
import { bookingBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingEvent,
  type BookingState,
  type ExistingBooking,
  evolveBooking,
  isExistingBooking,
} from "@travel-booking/domain";
import { changesBetween, type FieldChanges, isVisible } from "./history-changes.ts";
import { type PublicEventDraft, publicEventsOf } from "./public-events.ts";
import type { RecordedBookingEvent, RowContext, StoredRow } from "./rows.ts";
import { bookingAfter, parseSegment, rowContext, type SegmentStart, type StoredSegment } from "./segments.ts";

/** A segment is closed when it has so many events, or so many characters of events. */
const MAX_EVENTS = 64;
const MAX_CHARACTERS = 16_384;

interface OpenSegment {
  readonly start: SegmentStart | null;
  readonly rows: StoredRow[];
  /** Of the rows. */
  characters: number;
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
 * `StoredSegment`, which stays as it was when further events are added: those only add rows.
 */
export class BookingLife {
  readonly bookingId: string;
  readonly booking: BookingState;
  /** Log positions at which bank entries, returns and documents were created. */
  readonly created: Map<string, bigint>;
  readonly #open: OpenSegment;
  readonly #rowCount: number;

  private constructor(bookingId: string, booking: BookingState, created: Map<string, bigint>, open: OpenSegment) {
    this.bookingId = bookingId;
    this.booking = booking;
    this.created = created;
    this.#open = open;
    this.#rowCount = open.rows.length;
  }

  /** Before the first event. */
  static begin(bookingId: string): BookingLife {
    return new BookingLife(bookingId, { status: "none" }, new Map(), openSegment(bookingId, null));
  }

  static parse(bookingId: string, stored: StoredSegment): BookingLife {
    const [start, ...rows] = stored;
    const open = openSegment(bookingId, start);
    const segment = parseSegment(bookingId, stored, open.context);
    for (const row of rows) addRow(open, row);
    const created = new Map((start?.created ?? []).map(([id, position]) => [id, BigInt(position)]));
    for (const event of segment.events) {
      const id = createdBy(event);
      if (id !== undefined) created.set(id, event.position);
    }
    return new BookingLife(bookingId, bookingAfter(segment), created, open);
  }

  /**
   * Folds an event in. This life must not be used afterwards, but for its JSON.
   * @throws Error the event can't follow.
   */
  append(event: RecordedBookingEvent): Appended {
    const before = showsMoreThanStatus(event) ? bodyOf(this.booking) : null;
    const closed = isFull(this.#open) ? this.toJSON() : undefined;
    const open = closed === undefined ? this.#open : this.#nextSegment();
    const booking = evolveBooking(this.booking, event);
    addRow(open, open.context.encode(event));
    const created = createdBy(event);
    if (created !== undefined) this.created.set(created, event.position);
    const changes = before === null ? NO_CHANGES : changesBetween(before, bodyOf(booking) ?? before);
    const drafts = isExistingBooking(booking) && isVisible(event) ? publicEventsOf(event, changes) : [];
    return { life: new BookingLife(this.bookingId, booking, this.created, open), drafts, closed };
  }

  toJSON(): StoredSegment {
    const { start, rows } = this.#open;
    return [start, ...rows.slice(0, this.#rowCount)];
  }

  #nextSegment(): OpenSegment {
    const booking = structuredClone(this.booking) as ExistingBooking;
    const created = [...this.created].map(([id, position]) => [id, String(position)] as const);
    return openSegment(this.bookingId, { booking, created });
  }
}

function openSegment(bookingId: string, start: SegmentStart | null): OpenSegment {
  return { start, rows: [], characters: 0, context: rowContext(bookingId, start) };
}

function addRow(open: OpenSegment, row: StoredRow): void {
  open.rows.push(row);
  open.characters += JSON.stringify(row).length;
}

function isFull({ rows, characters }: OpenSegment): boolean {
  return rows.length >= MAX_EVENTS || characters >= MAX_CHARACTERS;
}

/** The object that an event creates and that has a document of its own which later events write again. */
function createdBy(event: RecordedBookingEvent): string | undefined {
  switch (event.type) {
    case "TransferReceived":
      return event.data.entryId;
    case "ReturnDue":
      return event.data.returnId;
    case "DocumentUploaded":
      return event.data.documentId;
    default:
      return undefined;
  }
}

const NO_CHANGES: FieldChanges = {};

/** The events of money change nothing of a booking's public form but its status. */
const OF_MONEY: ReadonlySet<BookingEvent["type"]> = new Set<BookingEvent["type"]>([
  "BookingConfirmed",
  "PaymentStarted",
  "PaymentSucceeded",
  "PaymentFailed",
  "TransferReceived",
  "ReturnDue",
  "ReturnSent",
  "RefundStarted",
  "RefundSucceeded",
]);

function showsMoreThanStatus({ type }: BookingEvent): boolean {
  return type !== "BookingCreated" && !OF_MONEY.has(type);
}

function bodyOf(booking: BookingState): BookingBody | null {
  return isExistingBooking(booking) ? bookingBody(booking) : null;
}
