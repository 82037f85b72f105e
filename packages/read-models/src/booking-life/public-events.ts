import { eventJson } from "@travel-booking/api-contract/bodies";
import { type BookingEvent, PUBLIC_EVENTS, type PublicEventType, publicEventMadeBy } from "@travel-booking/domain";
import { eventSortKey, publicEventId } from "../events.ts";
import { changesOfBooking, type FieldChanges } from "./history-changes.ts";
import type { Moment } from "./segments.ts";

export interface PublicEventDraft {
  readonly type: PublicEventType;
  readonly previousAttributes: Readonly<Record<string, unknown>> | null;
}

/** Events of money and departures change the status at most in a booking's public form, a note nothing. An erasure makes no public event. */
export const CHANGES_STATUS_ONLY =
  /^(Booking(Created|Confirmed|Disrupted|Erased|PassengerErased|DocumentsErased)|Case|Departure|Note|Payment|Transfer|Return|Refund)/;

/** The types of the public events that an event of the log of this type may have. */
export function publicTypesOf(type: BookingEvent["type"]): readonly PublicEventType[] {
  const made = publicEventMadeBy(type);
  return [
    ...(CHANGES_STATUS_ONLY.test(type) ? [] : (["booking.changed"] as const)),
    ...(made === undefined ? [] : [made]),
  ];
}

/**
 * The public events of an event of the log, in this order (docs/rules.md#event-types): `booking.changed` if visible fields
 * other than the status changed, except at its creation and its erasure, and the one that it makes by itself.
 */
export function publicEventsOf({ type }: BookingEvent, changes: FieldChanges): readonly PublicEventDraft[] {
  const drafts: PublicEventDraft[] = [];
  const changed = Object.entries(changes).filter(([field]) => field !== "status");
  if (type !== "BookingCreated" && !/Erased$/.test(type) && changed.length > 0) {
    const previousAttributes = Object.fromEntries(changed.map(([field, { from }]) => [field, from]));
    drafts.push({ type: "booking.changed", previousAttributes });
  }
  const made = publicEventMadeBy(type);
  if (made !== undefined) drafts.push({ type: made, previousAttributes: null });
  return drafts;
}

export interface PublicEvent {
  readonly eventId: string;
  readonly type: PublicEventType;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  /** `eventSortKey` */
  readonly sort: string;
  /** The event as it is listed, fetched and delivered. */
  json(): string;
}

/** The public events of a moment, in their order. */
export function publicEventsAt(moment: Moment): readonly PublicEvent[] {
  const { event, bookingId, before, after } = moment;
  const { id, at, position } = event;
  return publicEventsOf(event, changesOfBooking(event, before.booking, after.booking ?? {})).map((draft, index) => {
    const { type, previousAttributes } = draft;
    const eventId = publicEventId(id, type, bookingId);
    const json = () => eventJson({ id: eventId, type, at }, JSON.stringify(objectOf(type, moment)), previousAttributes);
    return { eventId, type, at, sort: eventSortKey(position, index), json };
  });
}

/** The `data.object` of a public event, right after it. */
function objectOf(type: PublicEventType, { event: { data }, bookingId, after }: Moment): object | null | undefined {
  switch (PUBLIC_EVENTS[type].object) {
    case "booking":
      return after.booking;
    case "payment":
      return after.payment;
    case "refund":
      return after.payment?.refunds.find(({ id }) => "refundId" in data && id === data.refundId);
    case "document":
      return "documentId" in data ? { ...after.parts[`documents.${data.documentId}`], bookingId } : null;
    case "disruption":
      return "caseId" in data ? after.parts[`disruptions.${data.caseId}`] : null;
    case "hold":
    case "flight":
    case "endpoint":
      return null;
  }
}
