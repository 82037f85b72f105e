import { describe, expect, test } from "@jest/globals";
import { createWebhookEndpointSchema, eventJson, eventListQuerySchema, eventSchema } from "../../src/index.ts";
import { problemsWith } from "../problems.ts";

const TYPES = "booking.confirmed, booking.changed, booking.cancelled, payment.succeeded, payment.failed";

describe("the list of events", () => {
  test("takes filters, an order, a place to go on from, and a wait", () => {
    expect(eventListQuerySchema.parse({})).toStrictEqual({ wait: 0, limit: 20 });
    const query = {
      type: "payment.failed",
      bookingId: "bkg_1",
      createdAfter: "2027-01-01T00:00:00Z",
      createdBefore: "2027-01-01T02:00:00+01:00",
      order: "asc",
      after: "evt_1",
      wait: "30",
      limit: "5",
      cursor: "c",
    };
    expect(eventListQuerySchema.parse(query)).toStrictEqual({
      ...query,
      createdAfter: Date.UTC(2027, 0, 1),
      createdBefore: Date.UTC(2027, 0, 1, 1),
      wait: 30,
      limit: 5,
    });
  });

  test.each([
    [{ type: "booking.created" }, `type must be one of ${TYPES}`],
    [{ bookingId: "" }, "bookingId must not be blank"],
    [
      { createdAfter: "today" },
      "createdAfter must be an ISO 8601 date-time with an offset, such as 2027-03-01T09:00:00Z",
    ],
    [{ order: "up" }, "order must be one of asc, desc"],
    [{ after: "" }, "after must not be blank"],
    [{ after: "evt_1", order: "desc" }, "order must be asc where after is given"],
    ...["31", "-1", "1.5", "", "01", "030", "x"].map(
      (wait) => [{ wait }, "wait must be a whole number from 0 to 30"] as const,
    ),
  ])("refuses %j", (query, problem) => {
    expect(problemsWith(eventListQuerySchema, query, "query")).toStrictEqual([problem]);
  });
});

describe("a webhook endpoint", () => {
  test.each([
    [{ url: "https://example.com" }, "events is required"],
    [{ events: ["booking.changed"] }, "url is required"],
    [{ url: "https://example.com", events: [] }, "events must have at least 1 entry"],
    [{ url: "https://example.com", events: ["*"] }, `events[0] must be one of ${TYPES}`],
    [{ url: "https://example.com", events: ["booking.changed", "booking.changed"] }, "events[1] is named twice"],
    [
      { url: `https://example.com/${"x".repeat(2_048)}`, events: ["booking.changed"] },
      "url must have at most 2048 characters",
    ],
  ])("is refused: %#", (body, problem) => {
    expect(problemsWith(createWebhookEndpointSchema, body)).toStrictEqual([problem]);
  });
});

test("the JSON of an event is one an account may be sent", () => {
  const booking = {
    id: "bkg_1",
    status: "pending",
    cabin: "economy",
    flightId: "f",
    passengers: [],
    totalAmount: 0,
    currency: "USD",
    documents: [],
    seats: [],
    createdAt: "2027-01-01T00:00:00.000Z",
  };
  const head = { id: "evt_1", at: Date.UTC(2027, 0, 1) };
  const changed = eventJson({ ...head, type: "booking.changed" }, JSON.stringify(booking), { reference: null });
  expect(eventSchema.parse(JSON.parse(changed))).toStrictEqual({
    id: "evt_1",
    type: "booking.changed",
    createdAt: "2027-01-01T00:00:00.000Z",
    apiVersion: "2026-11-01",
    data: { object: booking, previousAttributes: { reference: null } },
  });
  const cancelled = eventJson({ ...head, type: "booking.cancelled" }, JSON.stringify(booking));
  expect(JSON.parse(cancelled).data).toStrictEqual({ object: booking, previousAttributes: null });
  const mixed = eventJson({ ...head, type: "payment.failed" }, JSON.stringify(booking));
  expect(eventSchema.safeParse(JSON.parse(mixed)).success).toBe(false);
});
