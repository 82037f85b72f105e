import type { EventType } from "@travel-booking/api-contract";
import type { FieldChanges } from "./field-changes.ts";
import type { VisibleBookingEvent } from "./history-types.ts";

/** What an account is told, and of what. */
export interface PublicEventDraft {
  readonly type: EventType;
  readonly object: "booking" | "payment";
  readonly previousAttributes: Readonly<Record<string, unknown>> | null;
}

/** What every one of these events is told as. */
const PUBLIC_EVENTS: Readonly<Partial<Record<VisibleBookingEvent["type"], PublicEventDraft>>> = {
  BookingConfirmed: { type: "booking.confirmed", object: "booking", previousAttributes: null },
  BookingCancelled: { type: "booking.cancelled", object: "booking", previousAttributes: null },
  PaymentSucceeded: { type: "payment.succeeded", object: "payment", previousAttributes: null },
  PaymentFailed: { type: "payment.failed", object: "payment", previousAttributes: null },
};

/**
 * What the account is told of an event, in this order (docs/rules.md#event-types): that visible fields of the
 * booking other than its status changed, and what became of booking or payment. `changes` are those of the booking; of
 * one that has just come into being nobody is told that it changed.
 */
export function publicEventsOf({ type }: VisibleBookingEvent, changes: FieldChanges): readonly PublicEventDraft[] {
  const told = PUBLIC_EVENTS[type];
  const changed = type === "BookingCreated" ? undefined : previousAttributesOf(changes);
  if (changed === undefined) return told === undefined ? NOTHING : [told];
  const change = { type: "booking.changed", object: "booking", previousAttributes: changed } as const;
  return told === undefined ? [change] : [change, told];
}

const NOTHING: readonly PublicEventDraft[] = [];

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
