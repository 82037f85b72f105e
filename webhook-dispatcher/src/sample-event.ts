import { type EventType, eventJson, timestamp } from "@travel-booking/api-contract";

/** The JSON of a made-up event for a test of an endpoint: the documented example, under ids that no real thing has. */
export async function sampleEvent(id: string, type: EventType, at: number): Promise<string> {
  // Imported here, because a start does not need the examples.
  const { events } = await import("@travel-booking/api-contract/event-examples");
  const { object, previousAttributes } = events[type].data;
  const ids = "bookingId" in object ? { id: "pay_sample", bookingId: "bkg_sample" } : { id: "bkg_sample" };
  const sample = { ...object, ...ids, createdAt: timestamp(at) };
  return eventJson({ id, type, at }, JSON.stringify(sample), previousAttributes);
}
