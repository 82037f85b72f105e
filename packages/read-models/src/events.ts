import type { EventType } from "@travel-booking/api-contract";
import { positionSort } from "@travel-booking/engines/read-store";
import { BOOKINGS } from "./bookings.ts";

/**
 * Public events, byte for byte as they are listed, fetched and delivered; written by the projection `bookings`. Every
 * index is sorted by `eventSortKey`. Read them up to `visiblePosition` only.
 */
export const EVENTS = {
  projection: BOOKINGS.projection,
  /** By `ownedKey(account, event)`. */
  event: {
    model: "bookings.event",
    /** Partition `ALL_PARTITION`. */
    all: "all",
    /** One partition per account. */
    byAccount: "byAccount",
    /** Partition `ownedKey(account, type)`. */
    byAccountAndType: "byAccountAndType",
    /** Partition `ownedKey(account, booking)`; events of payments are with their booking. */
    byBooking: "byBooking",
  },
} as const;

/** State of `bookings.event`. */
export interface EventDocumentState {
  readonly accountId: string;
  readonly bookingId: string;
  readonly type: EventType;
}

/** Test events of webhook endpoints: JSON text in the state store, by `ownedKey(account, event)`. */
export const TEST_EVENTS = { space: "test-events" } as const;

/** By the position of the event of the log that it comes from, then by its index among those from the same one. */
export function eventSortKey(position: bigint, index: number): string {
  return `${positionSort(position)}/${index}`;
}

/** The position of an `eventSortKey`. */
export function positionOfSortKey(sort: string): bigint {
  return BigInt(sort.slice(0, sort.indexOf("/")));
}

/** Exclusive upper bound of all events up to a position. */
export function eventSortKeyAfter(position: bigint): string {
  return eventSortKey(position + 1n, 0);
}
