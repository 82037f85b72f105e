import type { Instant, PublicEventType } from "@travel-booking/domain";
import { timestamp } from "./timestamp.ts";

/** The API version of the shapes of events. */
const EVENT_API_VERSION = "2026-11-01";

interface EventEnvelope {
  readonly id: string;
  readonly type: PublicEventType;
  /** When the event happened. */
  readonly at: Instant;
}

/**
 * The JSON of an event, the same in lists, in the answer for one event, and in deliveries.
 * @param object the JSON of the object right after the event.
 * @param previousAttributes of `booking.changed` only.
 */
export function eventJson(
  { id, type, at }: EventEnvelope,
  object: string,
  previousAttributes: Readonly<Record<string, unknown>> | null = null,
): string {
  const head = JSON.stringify({ id, type, createdAt: timestamp(at), apiVersion: EVENT_API_VERSION });
  return `${head.slice(0, -1)},"data":{"object":${object},"previousAttributes":${JSON.stringify(previousAttributes)}}}`;
}
