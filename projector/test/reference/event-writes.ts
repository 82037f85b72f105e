import { hash } from "node:crypto";
import { type BookingHistoryEntry, eventJson, timestamp } from "@travel-booking/api-contract";
import type { ExistingBooking, PublicEventType } from "@travel-booking/domain";
import { ALL_PARTITION, eventSortKey, ownedKey, revisionSortKey } from "@travel-booking/read-models";
import type { Change, DocumentPut, Recorded } from "../../src/projection.ts";
import {
  changesBetween,
  type FieldChanges,
  HISTORY_TYPES,
  historyChanges,
  type VisibleBookingEvent,
} from "./history-changes.ts";
import { BOOKINGS, EVENTS, type EventDocumentState, versionKey, versionSortKey, wholeDocument } from "./models.ts";
import type { PublicSnapshot } from "./public-snapshot.ts";

type BookingIds = Pick<ExistingBooking, "accountId" | "bookingId">;
type Visible = Recorded<VisibleBookingEvent>;

function historyWrite(
  { accountId, bookingId }: BookingIds,
  { id, type, at, metadata, revision }: Visible,
  changes: BookingHistoryEntry["changes"],
): DocumentPut {
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
    body: JSON.stringify(entry),
    indexes: { [byBooking]: { partition: ownedKey(accountId, bookingId), sort: revisionSortKey(revision) } },
  });
}

/** The booking right after the event. */
function versionWrite({ accountId, bookingId }: BookingIds, { at, revision }: Visible, body: string): DocumentPut {
  const { model, byTime } = BOOKINGS.version;
  return wholeDocument(model, {
    key: versionKey(accountId, bookingId, revision),
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
): DocumentPut {
  const id = publicEventId(eventId, type);
  const state: EventDocumentState = { accountId, bookingId, type };
  const sort = eventSortKey(position, index);
  const { model, all, byAccount, byAccountAndType, byBooking } = EVENTS.event;
  return wholeDocument(model, {
    key: ownedKey(accountId, id),
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

/** The permanent documents of one event of a booking: history entry, version, public events. */
export function eventWrites(
  booking: BookingIds,
  event: Visible,
  before: PublicSnapshot,
  after: PublicSnapshot,
): Change[] {
  const changes: FieldChanges = after.booking === null ? {} : changesBetween(before.booking, after.booking);
  const writes = [historyWrite(booking, event, historyChanges(event, changes, before, after))];
  const json = { booking: "null", payment: "null" };
  // An event that changes nothing visible needs no version.
  const hasChanged = Object.keys(changes).length > 0;
  const drafts = publicEventsOf(event, changes);
  if (hasChanged || drafts.some(({ object }) => object === "booking")) json.booking = JSON.stringify(after.booking);
  if (drafts.some(({ object }) => object === "payment")) json.payment = JSON.stringify(after.payment);
  if (hasChanged) writes.push(versionWrite(booking, event, json.booking));
  for (const [index, draft] of drafts.entries()) {
    writes.push(publicEventWrite(booking, event, draft, index, json[draft.object]));
  }
  return writes;
}

/** The UUID namespace of this service's public events. */
const NAMESPACE = Buffer.from("5b1d3a9e8c524f0e9a435d0b6f2c7e11", "hex");

/** A name-based UUID (version 5, RFC 9562 §5.5), so a rebuild makes the same id. */
export function publicEventId(eventId: string, type: PublicEventType): string {
  const digest = hash("sha1", Buffer.concat([NAMESPACE, Buffer.from(`${eventId}/${type}`)]), "hex");
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `evt_${digest.slice(0, 12)}5${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`;
}

interface PublicEventDraft {
  readonly type: PublicEventType;
  readonly object: "booking" | "payment";
  readonly previousAttributes: Readonly<Record<string, unknown>> | null;
}

const PUBLIC_EVENTS: Readonly<Partial<Record<VisibleBookingEvent["type"], PublicEventDraft>>> = {
  BookingConfirmed: { type: "booking.confirmed", object: "booking", previousAttributes: null },
  BookingCancelled: { type: "booking.cancelled", object: "booking", previousAttributes: null },
  PaymentSucceeded: { type: "payment.succeeded", object: "payment", previousAttributes: null },
  PaymentFailed: { type: "payment.failed", object: "payment", previousAttributes: null },
};

/**
 * The public events of an event of the log, in this order (docs/rules.md#event-types): `booking.changed` if visible fields
 * other than the status changed, except at its creation, and the new status of booking or payment.
 */
export function publicEventsOf({ type }: VisibleBookingEvent, changes: FieldChanges): readonly PublicEventDraft[] {
  const statusEvent = PUBLIC_EVENTS[type];
  const changed = type === "BookingCreated" ? undefined : previousAttributesOf(changes);
  if (changed === undefined) return statusEvent === undefined ? [] : [statusEvent];
  const change = { type: "booking.changed", object: "booking", previousAttributes: changed } as const;
  return statusEvent === undefined ? [change] : [change, statusEvent];
}

function previousAttributesOf(changes: FieldChanges): Readonly<Record<string, unknown>> | undefined {
  const previous: Record<string, unknown> = {};
  let any = false;
  for (const field in changes) {
    if (field === "status") continue;
    previous[field] = changes[field]?.from;
    any = true;
  }
  return any ? previous : undefined;
}
