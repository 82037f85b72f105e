import type { BookingEvent } from "./booking/events.ts";
import type { FlightEvent } from "./flight/events.ts";
import type { WebhookEndpointsEvent } from "./webhook-delivery/endpoint-events.ts";

/** Deliveries to an endpoint about the same booking, hold, flight or other endpoint are in order: they share a lane. */
export type LaneKind = "booking" | "hold" | "flight" | "endpoint";

type LogEvent = BookingEvent | FlightEvent | WebhookEndpointsEvent;

interface PublicEventKind {
  readonly lane: LaneKind;
  /** Its `data.object`. */
  readonly object: "booking" | "payment" | "refund" | "document" | "hold" | "disruption" | "flight" | "endpoint";
  /** The events of the log that make it. Null: any that changes what is visible of a booking besides its status. */
  readonly madeBy: LogEvent["type"] | readonly LogEvent["type"][] | null;
  /** One of those that `*` stands for, and that are listed where no type is named. */
  readonly usual: boolean;
}

/**
 * The public events (docs/rules.md#event-types). Read models store the place of a type in this table, so further ones
 * come last.
 */
export const PUBLIC_EVENTS = {
  "booking.confirmed": { lane: "booking", object: "booking", madeBy: "BookingConfirmed", usual: true },
  "booking.changed": { lane: "booking", object: "booking", madeBy: null, usual: true },
  "booking.cancelled": { lane: "booking", object: "booking", madeBy: "BookingCancelled", usual: true },
  "payment.succeeded": { lane: "booking", object: "payment", madeBy: "PaymentSucceeded", usual: true },
  "payment.failed": { lane: "booking", object: "payment", madeBy: "PaymentFailed", usual: true },
  "booking.created": { lane: "booking", object: "booking", madeBy: "BookingCreated", usual: false },
  "document.verified": { lane: "booking", object: "document", madeBy: "DocumentVerified", usual: false },
  "document.rejected": { lane: "booking", object: "document", madeBy: "DocumentRejected", usual: false },
  "refund.succeeded": { lane: "booking", object: "refund", madeBy: "RefundSucceeded", usual: false },
  "refund.failed": { lane: "booking", object: "refund", madeBy: "RefundFailed", usual: false },
  "hold.expired": { lane: "hold", object: "hold", madeBy: "SeatHoldExpired", usual: false },
  "disruption.opened": { lane: "booking", object: "disruption", madeBy: "BookingDisrupted", usual: false },
  "disruption.resolved": { lane: "booking", object: "disruption", madeBy: "CaseResolved", usual: false },
  "flight.changed": {
    lane: "flight",
    object: "flight",
    madeBy: ["FlightCancelled", "FlightReinstated", "FlightRetimed", "EquipmentChanged"],
    usual: false,
  },
  "endpoint.failing": { lane: "endpoint", object: "endpoint", madeBy: "WebhookEndpointFailing", usual: false },
  "endpoint.recovered": { lane: "endpoint", object: "endpoint", madeBy: "WebhookEndpointRecovered", usual: false },
  "disruption.revised": { lane: "booking", object: "disruption", madeBy: "CaseRevised", usual: false },
} as const satisfies Readonly<Record<string, PublicEventKind>>;

export type PublicEventType = keyof typeof PUBLIC_EVENTS;

export const PUBLIC_EVENT_TYPES = Object.keys(PUBLIC_EVENTS) as readonly PublicEventType[];

export const USUAL_EVENT_TYPES: readonly PublicEventType[] = PUBLIC_EVENT_TYPES.filter(
  (type) => PUBLIC_EVENTS[type].usual,
);

/** Stands for the usual types where an endpoint names what it gets. */
export const USUAL_EVENTS = "*";

/** The types that an endpoint gets, each once. */
export function subscribedTypes(named: readonly string[]): readonly string[] {
  return [...new Set(named.flatMap((name): readonly string[] => (name === USUAL_EVENTS ? USUAL_EVENT_TYPES : [name])))];
}

const MADE_BY: ReadonlyMap<string, PublicEventType> = new Map(
  PUBLIC_EVENT_TYPES.flatMap((type) => makersOf(type).map((maker) => [maker, type] as const)),
);

function makersOf(type: PublicEventType): readonly string[] {
  const { madeBy }: PublicEventKind = PUBLIC_EVENTS[type];
  return madeBy === null ? [] : [madeBy].flat();
}

/** The public event that an event of the log of this type makes by itself; undefined: none. */
export function publicEventMadeBy(type: LogEvent["type"]): PublicEventType | undefined {
  return MADE_BY.get(type);
}
