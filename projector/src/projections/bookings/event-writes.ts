import { type BookingHistoryEntry, eventJson, timestamp } from "@travel-booking/api-contract";
import type { ExistingBooking } from "@travel-booking/domain";
import type { Write } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  BOOKINGS,
  EVENTS,
  type EventDocumentState,
  eventSortKey,
  ownedKey,
  revisionSortKey,
  versionKey,
  versionSortKey,
} from "@travel-booking/read-models";
import type { Recorded } from "../recorded.ts";
import { wholeDocument } from "../whole-document.ts";
import { changesBetween, type FieldChanges } from "./field-changes.ts";
import { historyChanges } from "./history-changes.ts";
import { HISTORY_TYPES, type VisibleBookingEvent } from "./history-types.ts";
import { publicEventId } from "./public-event-id.ts";
import { type PublicEventDraft, publicEventsOf } from "./public-events.ts";
import type { PublicSnapshot } from "./public-snapshot.ts";

type BookingIds = Pick<ExistingBooking, "accountId" | "bookingId">;
type Visible = Recorded<VisibleBookingEvent>;

function historyWrite(
  { accountId, bookingId }: BookingIds,
  { id, type, at, metadata, revision, position }: Visible,
  changes: BookingHistoryEntry["changes"],
): Write {
  const entry: BookingHistoryEntry = {
    id,
    type: HISTORY_TYPES[type],
    createdAt: timestamp(at),
    actor: { kind: metadata.actor.kind, id: metadata.actor.id },
    requestId: metadata.requestId,
    changes,
  };
  const { model, byBooking } = BOOKINGS.history;
  return wholeDocument(model, {
    key: versionKey(accountId, bookingId, revision),
    position,
    body: JSON.stringify(entry),
    indexes: { [byBooking]: { partition: ownedKey(accountId, bookingId), sort: revisionSortKey(revision) } },
  });
}

/** The booking as it is right after the event. */
function versionWrite({ accountId, bookingId }: BookingIds, { at, revision, position }: Visible, body: string): Write {
  const { model, byTime } = BOOKINGS.version;
  return wholeDocument(model, {
    key: versionKey(accountId, bookingId, revision),
    position,
    body,
    indexes: { [byTime]: { partition: ownedKey(accountId, bookingId), sort: versionSortKey(at, revision) } },
  });
}

function publicEventWrite(
  { accountId, bookingId }: BookingIds,
  { id: eventId, at, position }: Visible,
  { type, previousAttributes }: PublicEventDraft,
  index: number,
  object: string,
): Write {
  const id = publicEventId(eventId, type);
  const state: EventDocumentState = { accountId, bookingId, type };
  const sort = eventSortKey(position, index);
  const { model, all, byAccount, byAccountAndType, byBooking } = EVENTS.event;
  return wholeDocument(model, {
    key: ownedKey(accountId, id),
    position,
    body: eventJson({ id, type, at }, object, previousAttributes),
    state,
    indexes: {
      [all]: { partition: ALL_PARTITION, sort },
      [byAccount]: { partition: accountId, sort },
      [byAccountAndType]: { partition: ownedKey(accountId, type), sort },
      [byBooking]: { partition: ownedKey(accountId, bookingId), sort },
    },
  });
}

/** What is kept of one event of a booking for ever. */
export function eventWrites(
  booking: BookingIds,
  event: Visible,
  before: PublicSnapshot,
  after: PublicSnapshot,
): Write[] {
  const changes: FieldChanges = after.booking === null ? {} : changesBetween(before.booking, after.booking);
  const writes = [historyWrite(booking, event, historyChanges(event, changes, before, after))];
  const json = { booking: "null", payment: "null" };
  // What an event leaves as it was needs no version: the one before says it.
  const hasChanged = Object.keys(changes).length > 0;
  const told = publicEventsOf(event, changes);
  if (hasChanged || told.some(({ object }) => object === "booking")) json.booking = JSON.stringify(after.booking);
  if (told.some(({ object }) => object === "payment")) json.payment = JSON.stringify(after.payment);
  if (hasChanged) writes.push(versionWrite(booking, event, json.booking));
  for (const [index, one] of told.entries()) {
    writes.push(publicEventWrite(booking, event, one, index, json[one.object]));
  }
  return writes;
}
