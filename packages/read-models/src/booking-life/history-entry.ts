import type { BookingHistoryEntry } from "@travel-booking/api-contract";
import { timestamp } from "@travel-booking/api-contract/bodies";
import { changesBetween, changesOfBooking, type FieldChanges } from "./history-changes.ts";
import type { Moment } from "./segments.ts";

/** An event in the history of a booking: changed fields and metadata of the booking by name, other changes by kind and id. */
export function historyEntry({ event, historyType, before, after }: Moment): BookingHistoryEntry {
  const { id, at, metadata } = event;
  const changes: BookingHistoryEntry["changes"] = { ...changesOfBooking(event, before.booking, after.booking ?? {}) };
  const saysMetadata = event.type === "BookingCreated" || event.type === "BookingChanged";
  if (saysMetadata && event.data.metadata !== undefined)
    changes.metadata = { from: before.metadata, to: after.metadata };
  for (const [name, part] of Object.entries(after.parts)) {
    const ofPart: FieldChanges = changesBetween(before.parts[name] ?? null, part);
    if (Object.keys(ofPart).length > 0) changes[name] = ofPart;
  }
  return {
    id,
    type: historyType,
    createdAt: timestamp(at),
    actor: { kind: metadata.actor.kind, id: metadata.actor.id },
    requestId: metadata.requestId,
    changes,
  };
}
