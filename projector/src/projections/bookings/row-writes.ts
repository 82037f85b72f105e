import type { ExistingBooking } from "@travel-booking/domain";
import type { Write } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, type RecordedBookingEvent } from "@travel-booking/read-models";
import { placesByCreation, wholeDocument } from "../../projection.ts";

/** An event of a booking, and the booking after it. */
export interface BookingChange {
  readonly event: RecordedBookingEvent;
  readonly booking: ExistingBooking;
  /** The log position at which an object of the booking was created. */
  readonly createdAt: (id: string) => bigint;
}

/**
 * Writes what operators see of an object of a booking, in a list in the order in which its objects were created.
 * @param row undefined: the object is not in the list any more.
 */
export function rowWrite<Row extends object>(
  { event: { position }, createdAt }: BookingChange,
  [model, index]: readonly [model: string, index: string],
  id: string,
  row: Row | undefined,
): Write {
  const created = createdAt(id);
  const indexes = placesByCreation(created, { [index]: ALL_PARTITION });
  if (row === undefined) return { kind: "delete", model, key: id, position, fixed: { created, indexes } };
  return wholeDocument(model, { key: id, position, created, body: JSON.stringify(row), indexes });
}
