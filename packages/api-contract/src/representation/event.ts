import type { Instant } from "@travel-booking/domain";
import type { EventType } from "../enumerations.ts";
import { timestamp } from "./timestamp.ts";

/** The version of the API whose shapes events carry. */
export const EVENT_API_VERSION = "2026-11-01";

export interface EventEnvelope {
  readonly id: string;
  readonly type: EventType;
  /** When it happened. */
  readonly at: Instant;
}

/**
 * The JSON of an event, as it is listed, fetched and delivered. `object` is the JSON of the object right after the
 * change; what it was before (`previousAttributes`) is told of `booking.changed` only.
 */
export function eventJson(
  { id, type, at }: EventEnvelope,
  object: string,
  previousAttributes: Readonly<Record<string, unknown>> | null = null,
): string {
  const head = JSON.stringify({ id, type, createdAt: timestamp(at), apiVersion: EVENT_API_VERSION });
  return `${head.slice(0, -1)},"data":{"object":${object},"previousAttributes":${JSON.stringify(previousAttributes)}}}`;
}
