import { expect, test } from "@jest/globals";
import { type BookingEvent, bookingDecider, fold } from "@travel-booking/domain";
import { NO_STREAM } from "@travel-booking/engines/event-store";
import { BODY_BYTES, bookingRequest } from "../data/booking-request.ts";
import { bookingStreams } from "../data/booking-streams.ts";
import { EVENT_BYTES, sizedEvent } from "../data/sized-event.ts";

test("sizes are what the references say", () => {
  expect(Buffer.byteLength(bookingRequest("bench-flight-1234"))).toBe(BODY_BYTES);
  expect(JSON.stringify(sizedEvent(123_456))).toHaveLength(EVENT_BYTES);
});

test("the streams are journeys a booking can make, each event under its own id", () => {
  const streams = new Map<string, BookingEvent[]>();
  const ids = new Set<string>();
  let stored = 0;
  for (const group of bookingStreams(1_000, 50)) {
    for (const { stream, expectedRevision, events } of group) {
      const before = streams.get(stream) ?? [];
      expect(expectedRevision).toBe(NO_STREAM + before.length);
      streams.set(stream, [...before, ...(events as unknown as BookingEvent[])]);
      for (const { id } of events) ids.add(id);
      stored += events.length;
    }
  }
  expect(stored).toBeGreaterThanOrEqual(1_000);
  expect(ids.size).toBe(stored);
  const statuses = new Set([...streams.values()].map((events) => fold(bookingDecider, events).status));
  expect(statuses.has("confirmed")).toBe(true);
  expect(statuses.has("cancelled")).toBe(true);
});
