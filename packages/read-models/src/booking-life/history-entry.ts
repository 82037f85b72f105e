import type { BookingHistoryEntry } from "@travel-booking/api-contract";
import { timestamp } from "@travel-booking/api-contract/bodies";
import { changesBetween, HISTORY_TYPES, historyChanges } from "./history-changes.ts";
import type { Moment } from "./segments.ts";

/** What the history of a booking shows of an event. */
export function historyEntry({ event, before, after }: Moment): BookingHistoryEntry {
  const { id, type, at, metadata } = event;
  const changes = after.booking === null ? {} : changesBetween(before.booking, after.booking);
  return {
    id,
    type: HISTORY_TYPES[type],
    createdAt: timestamp(at),
    actor: { kind: metadata.actor.kind, id: metadata.actor.id },
    requestId: metadata.requestId,
    changes: historyChanges(event, changes, before, after),
  };
}
