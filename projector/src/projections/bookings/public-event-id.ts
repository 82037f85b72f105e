import { hash } from "node:crypto";
import type { EventType } from "@travel-booking/api-contract";

/** Of this service's public events. */
const NAMESPACE = Buffer.from("5b1d3a9e8c524f0e9a435d0b6f2c7e11", "hex");

/**
 * The id of what is told of an event of the log: a name-based UUID (version 5, RFC 9562 §5.5), so it is the same
 * however often the read models are built.
 */
export function publicEventId(eventId: string, type: EventType): string {
  const digest = hash("sha1", Buffer.concat([NAMESPACE, Buffer.from(`${eventId}/${type}`)]), "hex");
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `evt_${digest.slice(0, 12)}5${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`;
}
