import { type BookingHistoryEntry, timestamp } from "@travel-booking/api-contract";
import type { ExistingBooking } from "@travel-booking/domain";
import { BOOKINGS, ownedKey, revisionSort, versionKey, versionSort } from "@travel-booking/read-models";
import type { Write } from "@travel-booking/read-store";
import type { Recorded } from "../recorded.ts";
import { wholeDocument } from "../whole-document.ts";
import type { Appearance } from "./appearance.ts";
import { historyChanges } from "./history-changes.ts";
import { HISTORY_TYPES, type VisibleBookingEvent } from "./history-type.ts";

type Named = Pick<ExistingBooking, "accountId" | "bookingId">;

function historyWrite(
  { accountId, bookingId }: Named,
  event: Recorded<VisibleBookingEvent>,
  before: Appearance,
  after: Appearance,
): Write {
  const { id, type, at, metadata, revision, position } = event;
  const entry: BookingHistoryEntry = {
    id,
    type: HISTORY_TYPES[type],
    createdAt: timestamp(at),
    actor: { kind: metadata.actor.kind, id: metadata.actor.id },
    requestId: metadata.requestId,
    changes: historyChanges(event, before, after),
  };
  const { model, byBooking } = BOOKINGS.history;
  return wholeDocument(model, {
    key: versionKey(accountId, bookingId, revision),
    position,
    body: JSON.stringify(entry),
    indexes: { [byBooking]: { partition: ownedKey(accountId, bookingId), sort: revisionSort(revision) } },
  });
}

/** The object `id` as it is right after the event. */
function versionWrite(
  { model, byTime }: typeof BOOKINGS.version | typeof BOOKINGS.paymentVersion,
  { accountId, bookingId }: Named,
  { at, revision, position }: Recorded<VisibleBookingEvent>,
  object: { readonly id: string },
): Write {
  return wholeDocument(model, {
    key: versionKey(accountId, bookingId, revision),
    position,
    body: JSON.stringify(object),
    indexes: { [byTime]: { partition: ownedKey(accountId, object.id), sort: versionSort(at, revision) } },
  });
}

/** What is kept of one event of a booking for ever. */
export function eventWrites(
  booking: Named,
  event: Recorded<VisibleBookingEvent>,
  before: Appearance,
  after: Appearance,
): Write[] {
  const writes = [historyWrite(booking, event, before, after)];
  if (after.booking !== null) writes.push(versionWrite(BOOKINGS.version, booking, event, after.booking));
  if (after.payment !== null) writes.push(versionWrite(BOOKINGS.paymentVersion, booking, event, after.payment));
  return writes;
}
