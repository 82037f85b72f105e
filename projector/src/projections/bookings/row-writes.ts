import type { ExistingBooking } from "@travel-booking/domain";
import type { Delete, Write } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, type RecordedBookingEvent, timeSortKey } from "@travel-booking/read-models";
import { wholeDocument } from "../../projection.ts";

/** An event of a booking, and the booking after it. */
export interface BookingChange {
  readonly event: RecordedBookingEvent;
  readonly booking: ExistingBooking;
}

/** Writes what operators see of an object of a booking, in a list by time, then id. @param at of the object. */
export function rowWrite<Row extends { readonly id: string }>(
  { event: { position } }: BookingChange,
  [model, index]: readonly [model: string, index: string],
  row: Row,
  at: number,
): Write {
  const sort = `${timeSortKey(at)}/${row.id}`;
  const indexes = { [index]: { partition: ALL_PARTITION, sort } };
  return wholeDocument(model, { key: row.id, position, body: JSON.stringify(row), indexes });
}

/** Takes an object out of such a list. */
export function rowDelete({ event: { position } }: BookingChange, model: string, id: string): Delete {
  return { kind: "delete", model, key: id, position };
}
