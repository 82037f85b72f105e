import { type EventType, eventJson, timestamp } from "@travel-booking/api-contract";

/** The JSON of a made-up event, for testing an endpoint: the documented example, under ids that nothing real has. */
export async function sampleEvent(id: string, type: EventType, at: number): Promise<string> {
  // A start does not need them.
  const { events } = await import("@travel-booking/api-contract/event-examples");
  const { object, previousAttributes } = events[type].data;
  const ids = "bookingId" in object ? { id: "pay_sample", bookingId: "bkg_sample" } : { id: "bkg_sample" };
  const sample = { ...object, ...ids, createdAt: timestamp(at) };
  return eventJson({ id, type, at }, JSON.stringify(sample), previousAttributes);
}
