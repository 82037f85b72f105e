import { eventJson, timestamp } from "@travel-booking/api-contract";
import { HOLD_DURATION, PUBLIC_EVENTS, type PublicEventType } from "@travel-booking/domain";

/** By the object of an event: ids that no real thing has, and the moments that it shows. */
const MADE_UP = {
  booking: (at: number) => ({ id: "bkg_sample", createdAt: timestamp(at) }),
  payment: (at: number) => ({ id: "pay_sample", bookingId: "bkg_sample", createdAt: timestamp(at) }),
  refund: (at: number) => ({ id: "rfd_sample", paymentId: "pay_sample", createdAt: timestamp(at) }),
  document: (at: number) => ({ id: "doc_sample", bookingId: "bkg_sample", uploadedAt: timestamp(at) }),
  disruption: (at: number) => ({ id: "dcs_sample", bookingId: "bkg_sample", createdAt: timestamp(at) }),
  flight: () => ({ flightId: "flt_sample" }),
  hold: (at: number) => ({ id: "hld_sample", createdAt: timestamp(at - HOLD_DURATION), expiresAt: timestamp(at) }),
  endpoint: (at: number) => ({ endpointId: "whe_sample", since: timestamp(at) }),
} as const;

/** The JSON of a made-up event for a test of an endpoint: the documented example, under ids that no real thing has. */
export async function sampleEvent(id: string, type: PublicEventType, at: number): Promise<string> {
  // Imported here, because a start does not need the examples.
  const { events } = await import("@travel-booking/api-contract/event-examples");
  const { object, previousAttributes } = events[type].data;
  const sample = { ...object, ...MADE_UP[PUBLIC_EVENTS[type].object](at) };
  return eventJson({ id, type, at }, JSON.stringify(sample), previousAttributes);
}
