import {
  type Document,
  type PageRequest,
  parseBody,
  positionSort,
  type ReadModels,
} from "@travel-booking/engines/read-store";
import { BOOKINGS, momentSortKey } from "../bookings.ts";
import { revisionSortKey } from "../keys.ts";
import type { RecordedBookingEvent } from "./rows.ts";
import { firstOf, parseSegment, type Segment, type StoredSegment } from "./segments.ts";

const { model, byRevision, byTime, byPosition } = BOOKINGS.segment;
type SegmentIndex = typeof byRevision | typeof byTime | typeof byPosition;

/** The place of a segment in each index, by its first event. */
const SORT = {
  [byRevision]: ({ revision }) => revisionSortKey(revision),
  [byTime]: ({ at, revision }) => momentSortKey(at, revision),
  [byPosition]: ({ position }) => positionSort(position),
} as const satisfies Record<SegmentIndex, (first: RecordedBookingEvent) => string>;

/** The index entries of a closed segment. */
export function segmentIndexes(segment: Segment): Document["indexes"] {
  const [partition, first] = [segment.bookingId, firstOf(segment)];
  return Object.fromEntries(Object.entries(SORT).map(([index, sortOf]) => [index, { partition, sort: sortOf(first) }]));
}

/** The open segment of a booking; undefined if there is no booking. */
export async function findOpenSegment(
  models: Pick<ReadModels, "document">,
  bookingId: string,
): Promise<Segment | undefined> {
  const document = await models.document(BOOKINGS.booking.model, bookingId);
  return document && parseSegment(bookingId, document.state as StoredSegment);
}

/** The same, where the booking belongs to this account. */
export async function findOwnSegment(
  models: Pick<ReadModels, "document">,
  accountId: string,
  bookingId: string,
): Promise<Segment | undefined> {
  const open = await findOpenSegment(models, bookingId);
  return open !== undefined && accountOf(open) === accountId ? open : undefined;
}

function accountOf({ start, events: [first] }: Segment): string | undefined {
  return start?.booking.accountId ?? (first?.type === "BookingCreated" ? first.data.accountId : undefined);
}

type Pages = Pick<ReadModels, "page">;

/** The last segment that begins before this sort value; undefined if there is none. */
export async function lastSegmentBefore(
  models: Pages,
  open: Segment,
  index: SegmentIndex,
  before: string,
): Promise<Segment | undefined> {
  if (SORT[index](firstOf(open)) < before) return open;
  return closedSegment(models, open, { index, order: "descending", before });
}

/**
 * The segments from the last that begins before this sort value, on to the open one or back to the first. If none begins
 * before it: all, or none. Each is read when it is its turn.
 */
export async function* segmentsFrom(
  models: Pages,
  open: Segment,
  order: PageRequest["order"],
  index: SegmentIndex,
  before: string,
): AsyncGenerator<Segment> {
  const end = SORT[byRevision](firstOf(open));
  const isAscending = order === "ascending";
  const follow = async (after?: string) => {
    const range = { index: byRevision, order, before: end, ...(after !== undefined && { after }) };
    return (await closedSegment(models, open, range)) ?? (isAscending ? open : undefined);
  };
  let next = (await lastSegmentBefore(models, open, index, before)) ?? (isAscending ? await follow() : undefined);
  while (next !== undefined) {
    yield next;
    if (isAscending && next === open) return;
    next = await follow(SORT[byRevision](firstOf(next)));
  }
}

async function closedSegment(
  models: Pages,
  { bookingId, start }: Segment,
  range: Omit<PageRequest, "partition" | "limit">,
): Promise<Segment | undefined> {
  if (start === null) return undefined;
  const [item] = await models.page(model, { ...range, partition: bookingId, limit: 1 });
  return item && parseSegment(bookingId, parseBody<StoredSegment>(item));
}
