import { setImmediate } from "node:timers/promises";
import {
  type Document,
  type PageRequest,
  parseBody,
  positionSort,
  type ReadModels,
} from "@travel-booking/engines/read-store";
import { BOOKINGS } from "../bookings.ts";
import { revisionSortKey, timeSortKey } from "../keys.ts";
import { firstOf, parseSegment, type RecordedBookingEvent, type Segment, type StoredSegment } from "./segments.ts";

const { model, byRevision, byTime, byPosition } = BOOKINGS.segment;
type SegmentIndex = typeof byRevision | typeof byTime | typeof byPosition;

/** The place of a segment in each index, by its first event. */
const SORT = {
  [byRevision]: ({ revision }) => revisionSortKey(revision),
  [byTime]: ({ at, revision }) => timeSortKey(at, revisionSortKey(revision)),
  [byPosition]: ({ position }) => positionSort(position),
} as const satisfies Record<SegmentIndex, (first: RecordedBookingEvent) => string>;

/** The index entries of a closed segment. */
export function segmentIndexes(segment: Segment): Document["indexes"] {
  const [partition, first] = [segment.bookingId, firstOf(segment)];
  return Object.fromEntries(Object.entries(SORT).map(([index, sortOf]) => [index, { partition, sort: sortOf(first) }]));
}

export type Models = Pick<ReadModels, "document" | "page">;

/** A segment as it was read. */
export interface ReadSegment extends Segment {
  /** Characters or bytes that were read for it. */
  readonly size: number;
}

/** The segments of a booking. Each is read only when needed. */
export class Segments {
  /** The last segment. */
  readonly open: ReadSegment;
  /** The id of the key of the booking's words; undefined: the booking has no key. */
  readonly keyId: string | undefined;
  readonly #models: Pick<ReadModels, "page">;

  constructor(models: Pick<ReadModels, "page">, open: ReadSegment, keyId: string | undefined) {
    this.open = open;
    this.keyId = keyId;
    this.#models = models;
  }

  /** The last segment that begins before this sort value; undefined if there is none. */
  async lastBefore(index: SegmentIndex, before: string): Promise<ReadSegment | undefined> {
    if (SORT[index](firstOf(this.open)) < before) return this.open;
    return this.#closed({ index, order: "descending", before });
  }

  /**
   * Yields from the last segment that begins before this sort value, on to the open one or back to the first. If none
   * begins before it, yields all segments (ascending) or none (descending).
   */
  async *from(order: PageRequest["order"], index: SegmentIndex, before: string): AsyncGenerator<ReadSegment> {
    const end = SORT[byRevision](firstOf(this.open));
    const isAscending = order === "ascending";
    const follow = async (after?: string) => {
      const range = { index: byRevision, order, before: end, ...(after !== undefined && { after }) };
      return (await this.#closed(range)) ?? (isAscending ? this.open : undefined);
    };
    let next = (await this.lastBefore(index, before)) ?? (isAscending ? await follow() : undefined);
    while (next !== undefined) {
      yield next;
      if (isAscending && next === this.open) return;
      next = await follow(SORT[byRevision](firstOf(next)));
    }
  }

  async #closed(range: Omit<PageRequest, "partition" | "limit">): Promise<ReadSegment | undefined> {
    const { bookingId, start } = this.open;
    if (start === null) return undefined;
    const [item] = await this.#models.page(model, { ...range, partition: bookingId, limit: 1 });
    return item && { ...parseSegment(bookingId, parseBody<StoredSegment>(item)), size: item.json.length };
  }
}

/** Part of a list. */
export interface Part<Entry> {
  readonly entries: readonly Entry[];
  /** Set if reading ended early. Further entries may follow after this sort value. */
  readonly next?: string;
}

/** The number of segments without an entry after which one read ends. */
const MAX_IN_VAIN = 16;
/** Characters after which one read of a list ends. */
export const MAX_READ = 1_048_576;

/** Reads at most `limit` entries of segments. @param sortBefore the sort value before all entries of a segment. */
export async function readPart<Entry extends { readonly sort: string }>(
  segments: AsyncIterable<ReadSegment>,
  limit: number,
  entriesOf: (segment: Segment) => Iterable<Entry>,
  sortBefore: (segment: Segment) => string,
): Promise<Part<Entry>> {
  const entries: Entry[] = [];
  let inVain = 0;
  let read = 0;
  for await (const segment of segments) {
    if (inVain === MAX_IN_VAIN || read >= MAX_READ) return { entries, next: sortBefore(segment) };
    read += segment.size;
    const { length } = entries;
    for (const entry of entriesOf(segment)) {
      entries.push(entry);
      if (entries.length === limit) return { entries, ...(read >= MAX_READ && { next: entry.sort }) };
    }
    if (entries.length === length) inVain += 1;
    // Other requests get their turn between two segments.
    await setImmediate();
  }
  return { entries };
}

/** Undefined if there is no such booking. @param owner the account of the booking; null: any account. */
export async function findSegments(
  models: Models,
  bookingId: string,
  owner: string | null,
): Promise<Segments | undefined> {
  const document = await models.document(BOOKINGS.booking.model, bookingId);
  const open = document && parseSegment(bookingId, document.state as StoredSegment);
  if (open === undefined || (owner !== null && accountOf(open) !== owner)) return undefined;
  return new Segments(models, { ...open, size: document?.size ?? 0 }, document?.keyId);
}

function accountOf({ start, events: [first] }: Segment): string | undefined {
  return start?.accountId ?? (first?.type === "BookingCreated" ? first.data.accountId : undefined);
}
