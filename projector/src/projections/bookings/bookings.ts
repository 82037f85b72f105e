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
  type TransferTarget,
  transferReferenceKey,
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
import { changedRows, operatorRows } from "./operator-rows.ts";

const { booking, segment, transferReference, documentUsage } = BOOKINGS;
const { event: events } = EVENTS;

function apply(event: RecordedBookingEvent, bookingId: string, documents: Documents): Change[] {
  // The id is closed: there will be no booking.
  if (event.type === "BookingAbandoned") return [];
  const stored = documents.state<BookingLife | StoredSegment>(booking.model, bookingId);
  const before = stored instanceof BookingLife ? stored : BookingLife.parse(bookingId, stored);
  const { position } = event;
  const rows = operatorRows(before.booking, event);
  const { life, drafts, closed } = before.append(event);
  const changes: Change[] = [{ kind: "fold", model: booking.model, key: bookingId, state: life }];
  if (closed !== undefined) changes.push(segmentWrite(bookingId, closed, position));
  if (isExistingBooking(life.booking)) {
    changes.push(...eventWrites(life.booking, event, drafts), ...referenceWrites(life.booking, event));
    changes.push(...changedRows(rows, operatorRows(life.booking, event), position));
  }
  return changes;
}

function eventWrites(
  { accountId, bookingId }: ExistingBooking,
  { id, at, revision, position }: RecordedBookingEvent,
  drafts: readonly PublicEventDraft[],
): Write[] {
  return drafts.map(({ type }, index) => {
    const sort = eventSortKey(position, index);
    const indexes = {
      [events.all]: { partition: ALL_PARTITION, sort },
      [events.byAccount]: { partition: accountId, sort },
      [events.byAccountAndType]: { partition: ownedKey(accountId, type), sort },
    };
    const body = eventStubJson({ type, accountId, bookingId, at, revision });
    return wholeDocument(events.model, { key: publicEventId(id, type), position, body, indexes });
  });
}

/** What a started payment is found by, if it is a bank transfer. */
function referenceWrites(
  { accountId, bookingId }: ExistingBooking,
  { type, data, position }: RecordedBookingEvent,
): Write[] {
  if (type !== "PaymentStarted" || data.method.type !== "bank_transfer") return [];
  const state: TransferTarget = { accountId, bookingId, paymentId: data.paymentId };
  const key = transferReferenceKey(data.method.bankTransfer.reference);
  return [wholeDocument(transferReference.model, { key, position, state })];
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

/** Bookings with what happened to them, public events, and the transfers, refunds, disputes and documents operators see. */
export const bookings: Projection = {
  name: BOOKINGS.projection,
  version: BOOKINGS.version,
  models: {
    [booking.model]: foldedModel<BookingLife>(represent, { fixedIndexes: true }),
    ...fixedModels(segment, events, documentUsage, transferReference),
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
