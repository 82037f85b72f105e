import type { EventType } from "@travel-booking/api-contract";
import { positionSort } from "@travel-booking/engines/read-store";
import { BOOKINGS } from "./bookings.ts";

/**
 * What accounts are told of their bookings and payments, byte for byte as it is listed, fetched and delivered; made by
 * the projection `bookings`. Every index is sorted by `eventSortKey`, and to be read up to `visiblePosition` only.
 */
export const EVENTS = {
  projection: BOOKINGS.projection,
  /** By `ownedKey(account, event)`. */
  event: {
    model: "bookings.event",
    /** Partition `ALL`. */
    all: "all",
    /** One partition per account. */
    byAccount: "byAccount",
    /** Partition `ownedKey(account, type)`. */
    byAccountAndType: "byAccountAndType",
    /** Partition `ownedKey(account, booking)`; payments stand with their booking. */
    byBooking: "byBooking",
  },
} as const;

/** State of `bookings.event`. */
export interface EventDocumentState {
  readonly accountId: string;
  readonly bookingId: string;
  readonly type: EventType;
}

/** Events that were made to try an endpoint: in the state store, by `ownedKey(account, event)`, as JSON text. */
export const TEST_EVENTS = { space: "test-events" } as const;

/** The place of a public event: position of the event of the log it comes from, then its place among those of that one. */
export function eventSortKey(position: bigint, index: number): string {
  return `${positionSort(position)}/${index}`;
}

/** The position in what `eventSortKey` makes. */
export function positionOfSortKey(sort: string): bigint {
  return BigInt(sort.slice(0, sort.indexOf("/")));
}

/** Exclusive upper bound of the places of all events up to a position. */
export function eventSortKeyAfter(position: bigint): string {
  return eventSortKey(position + 1n, 0);
}
