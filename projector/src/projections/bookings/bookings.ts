import { bookingBody } from "@travel-booking/api-contract/bodies";
import { type ExistingBooking, isExistingBooking, nextEventDueAt } from "@travel-booking/domain";
import { positionSort, type Write } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  BOOKINGS,
  BookingLife,
  EVENTS,
  eventSortKey,
  eventStubJson,
  firstOf,
  ownedJson,
  ownedKey,
  type PublicEventDraft,
  parseSegment,
  publicEventId,
  type RecordedBookingEvent,
  type StoredSegment,
  segmentIndexes,
  segmentKey,
  withSealsOnce,
} from "@travel-booking/read-models";
import {
  aggregateIdOf,
  type Change,
  type DocumentMetadata,
  type Documents,
  fixedModels,
  foldedModel,
  type Projection,
  recorded,
  wholeDocument,
} from "../../projection.ts";
import { documentUsageHandler } from "./document-usage.ts";
import { documentWrites } from "./document-writes.ts";
import { gatewayWrites } from "./gateway-writes.ts";
import { transferWrites } from "./transfer-writes.ts";

const { booking, segment, transfer, transferReference, expectedTransfer, refund, dispute, document, documentUsage } =
  BOOKINGS;
const { event } = EVENTS;

function apply(event: RecordedBookingEvent, bookingId: string, documents: Documents): Change[] {
  // The id is closed: there will be no booking.
  if (event.type === "BookingAbandoned") return [];
  const stored = documents.state<BookingLife | StoredSegment>(booking.model, bookingId);
  const { life, drafts, closed } = lifeOf(bookingId, stored).append(event);
  const changes: Change[] = [{ kind: "fold", model: booking.model, key: bookingId, state: life }];
  if (closed !== undefined) changes.push(segmentWrite(bookingId, closed, event.position));
  if (isExistingBooking(life.booking)) {
    const { accountId } = life.booking;
    for (const [index, draft] of drafts.entries()) changes.push(eventWrite(accountId, bookingId, event, draft, index));
    let created: ReadonlyMap<string, bigint> | undefined;
    const createdAt = (id: string) => {
      created ??= life.created();
      return created.get(id) ?? event.position;
    };
    const change = { event, booking: life.booking, createdAt };
    changes.push(...transferWrites(change), ...gatewayWrites(change), ...documentWrites(change));
  }
  return changes;
}

function lifeOf(bookingId: string, stored: BookingLife | StoredSegment | undefined): BookingLife {
  if (stored instanceof BookingLife) return stored;
  return stored === undefined ? BookingLife.begin(bookingId) : BookingLife.parse(bookingId, stored);
}

function represent(life: BookingLife, { created }: DocumentMetadata) {
  const current = life.booking as ExistingBooking;
  const { accountId, status } = current;
  return {
    body: ownedJson(accountId, withSealsOnce(JSON.stringify(bookingBody(current)))),
    indexes: { [booking.byAccount]: { partition: accountId, sort: positionSort(created) } },
    // Only a pending booking changes by time alone; later only refunds do, which a booking does not show.
    staleAt: status === "pending" ? nextEventDueAt(current) : null,
  };
}

function segmentWrite(bookingId: string, closed: StoredSegment, position: bigint): Write {
  const parsed = parseSegment(bookingId, closed);
  return wholeDocument(segment.model, {
    key: segmentKey(bookingId, firstOf(parsed).revision),
    position,
    body: JSON.stringify(closed),
    indexes: segmentIndexes(parsed),
  });
}

function eventWrite(
  accountId: string,
  bookingId: string,
  { id, at, revision, position }: RecordedBookingEvent,
  { type }: PublicEventDraft,
  index: number,
): Write {
  const sort = eventSortKey(position, index);
  return wholeDocument(event.model, {
    key: publicEventId(id, type),
    position,
    body: eventStubJson({ type, accountId, bookingId, at, revision }),
    indexes: {
      [event.all]: { partition: ALL_PARTITION, sort },
      [event.byAccount]: { partition: accountId, sort },
      [event.byAccountAndType]: { partition: ownedKey(accountId, type), sort },
    },
  });
}

/** Bookings with what happened to them, public events, and the transfers, refunds, disputes and documents operators see. */
export const bookings: Projection = {
  name: BOOKINGS.projection,
  version: BOOKINGS.version,
  models: {
    [booking.model]: foldedModel<BookingLife>(represent, { fixedIndexes: true }),
    ...fixedModels(segment, event, document, documentUsage),
    ...fixedModels(transfer, transferReference, expectedTransfer, refund, dispute),
  },
  handlers: {
    booking: {
      reads: (event) => [{ model: booking.model, key: aggregateIdOf(event) }, ...documentUsageHandler.reads(event)],
      apply: (event, documents) => [
        ...apply(recorded(event) as RecordedBookingEvent, aggregateIdOf(event), documents),
        ...documentUsageHandler.apply(event, documents),
      ],
    },
  },
};
