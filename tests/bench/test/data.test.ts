import { expect, test } from "@jest/globals";
import { BODY_BYTES, bookingRequest } from "../data/booking-request.ts";
import { EVENT_BYTES, sizedEvent } from "../data/sized-event.ts";

test("sizes are what the references say", () => {
  expect(Buffer.byteLength(bookingRequest("bench-flight-1234"))).toBe(BODY_BYTES);
  expect(JSON.stringify(sizedEvent(123_456))).toHaveLength(EVENT_BYTES);
});
