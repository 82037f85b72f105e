import type { EventBody } from "@travel-booking/api-contract";
import type { BookingEvent } from "@travel-booking/domain";
import { created, idsOf } from "./bookings.ts";
import type { ApiReader, ReadService } from "./read-service.ts";

/** A change of the n-th booking's reference: one event for its account. */
export function referenceChanged(at: number, reference: string): BookingEvent {
  return { type: "BookingChanged", at, data: { changeId: null, reference } };
}

/** Makes the n-th booking, of an account. */
export function recordBooking(service: ReadService, number: number, at: number, accountId = "acc_1"): Promise<void> {
  const ids = idsOf(number);
  return service.record(`booking-${ids.booking}`, created(ids, at, { accountId }));
}

/** Changes the reference of the n-th booking; again under every further one. */
export function recordReferenceChanges(
  service: ReadService,
  number: number,
  at: number,
  ...references: readonly string[]
): Promise<void> {
  const events = references.map((reference) => referenceChanged(at, reference));
  return service.record(`booking-${idsOf(number).booking}`, ...events);
}

/** The references of the bookings that events are about; those of payments by their status. */
export function summarize(events: readonly EventBody[]): readonly string[] {
  return events.map(({ data: { object } }) => ("reference" in object && object.reference) || object.status);
}

export interface FeedPage {
  readonly data: readonly EventBody[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}

/** One page that must be there. */
export async function feed(read: ApiReader, query = ""): Promise<FeedPage> {
  const answer = await read(`/v1/events${query}`);
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${answer.text}`);
  return answer.body as FeedPage;
}
