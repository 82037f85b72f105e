import { eventJson } from "@travel-booking/api-contract/bodies";
import type { EventType } from "@travel-booking/api-contract/vocabulary";
import type { BookingEvent } from "@travel-booking/domain";
import { eventSortKey } from "../events.ts";
import { changesOfBooking, type FieldChanges } from "./history-changes.ts";
import type { Moment } from "./segments.ts";

/** The digit of a UUID that names its version. Version 8 is for custom ids (RFC 9562 §5.8). */
const VERSION_DIGIT = /(?<=^.{12})./;

/**
 * The id of a public event: the digits of its log event, so that a rebuild makes the same ids, and ids sort by time.
 * One log event can make two public events, so `booking.changed` has another version digit.
 */
export function publicEventId(eventId: string, type: EventType): string {
  const digits = eventId.replaceAll("-", "");
  return `evt_${type === "booking.changed" ? digits.replace(VERSION_DIGIT, "8") : digits}`;
}

export interface PublicEventDraft {
  readonly type: EventType;
  readonly object: "booking" | "payment";
  readonly previousAttributes: Readonly<Record<string, unknown>> | null;
}

const PUBLIC_EVENTS: Readonly<Partial<Record<BookingEvent["type"], PublicEventDraft>>> = {
  BookingConfirmed: { type: "booking.confirmed", object: "booking", previousAttributes: null },
  BookingCancelled: { type: "booking.cancelled", object: "booking", previousAttributes: null },
  PaymentSucceeded: { type: "payment.succeeded", object: "payment", previousAttributes: null },
  PaymentFailed: { type: "payment.failed", object: "payment", previousAttributes: null },
};

/** Events of money change only the status in a booking's public form. An erasure makes no public event. */
export const CHANGES_STATUS_ONLY = /^(BookingCreated|BookingConfirmed|BookingErased|Payment|Transfer|Return|Refund)/;

/** The types of the public events that an event of the log of this type may have. */
export function publicTypesOf(type: BookingEvent["type"]): readonly EventType[] {
  const ofStatus = PUBLIC_EVENTS[type]?.type;
  return [
    ...(CHANGES_STATUS_ONLY.test(type) ? [] : (["booking.changed"] as const)),
    ...(ofStatus === undefined ? [] : [ofStatus]),
  ];
}

/**
 * The public events of an event of the log, in this order (docs/rules.md#event-types): `booking.changed` if visible fields
 * other than the status changed, except at its creation and its erasure, and the new status of booking or payment.
 */
export function publicEventsOf({ type }: BookingEvent, changes: FieldChanges): readonly PublicEventDraft[] {
  const drafts: PublicEventDraft[] = [];
  const changed = Object.entries(changes).filter(([field]) => field !== "status");
  if (type !== "BookingCreated" && type !== "BookingErased" && changed.length > 0) {
    const previousAttributes = Object.fromEntries(changed.map(([field, { from }]) => [field, from]));
    drafts.push({ type: "booking.changed", object: "booking", previousAttributes });
  }
  const ofStatus = PUBLIC_EVENTS[type];
  if (ofStatus !== undefined) drafts.push(ofStatus);
  return drafts;
}

export interface PublicEvent {
  readonly eventId: string;
  readonly type: EventType;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  /** `eventSortKey` */
  readonly sort: string;
  readonly bookingId: string;
  /** The event as it is listed, fetched and delivered. */
  json(): string;
}

/** The public events of a moment, in their order. */
export function publicEventsAt({ event, bookingId, before, after }: Moment): readonly PublicEvent[] {
  const { id, at, position } = event;
  return publicEventsOf(event, changesOfBooking(event, before.booking, after.booking ?? {})).map((draft, index) => {
    const { type, object, previousAttributes } = draft;
    const eventId = publicEventId(id, type);
    const json = () => eventJson({ id: eventId, type, at }, JSON.stringify(after[object]), previousAttributes);
    return { eventId, type, at, sort: eventSortKey(position, index), bookingId, json };
  });
}
