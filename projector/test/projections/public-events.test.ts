import { afterEach, describe, expect, test } from "@jest/globals";
import { type EventBody, eventSchema } from "@travel-booking/api-contract";
import type { BookingEvent, DomainEvent, PublicEventType } from "@travel-booking/domain";
import { eventSortKey, publicEventId, publicEventsOf } from "@travel-booking/read-models";
import { bookings } from "../../src/projections/bookings/bookings.ts";
import { bookingAsOf, publicEvents } from "./kit/booking-answers.ts";
import {
  ACCOUNT,
  BOOKING,
  CARD_PAYMENT,
  cardStarted,
  confirmed,
  created,
  ofBooking,
  refundStarted,
  succeeded,
  T0,
  TOTAL,
} from "./kit/booking-history.ts";
import { closeAll, DELIVERIES, deliver, type GivenEvent, type ProjectedModels } from "./kit/deliver.ts";

const PAID = [created(), cardStarted(T0 + 1_000), succeeded(T0 + 2_000, CARD_PAYMENT), confirmed(T0 + 2_000)];

function changed(at: number, data: Omit<Extract<BookingEvent, { type: "BookingChanged" }>["data"], "changeId">) {
  return { type: "BookingChanged", at, data: { changeId: null, ...data } } as const;
}

describe.each(DELIVERIES)("public events, delivered %s", (delivery) => {
  let made: ProjectedModels;
  afterEach(closeAll);

  async function told(...events: BookingEvent[]): Promise<EventBody[]> {
    made = await deliver(bookings, ofBooking(events), delivery);
    const list = await publicEvents(made.models, "byAccount", ACCOUNT);
    for (const event of list) expect(eventSchema.parse(event)).toStrictEqual(event);
    return [...list];
  }

  const typesOf = (events: readonly EventBody[]) => events.map(({ type }) => type);
  const previousOf = (events: readonly EventBody[]) => events.map(({ data }) => data.previousAttributes);

  test("a new booking and a started charge make no event", async () => {
    expect(await told(created(), cardStarted(T0 + 1_000))).toStrictEqual([]);
  });

  test("a payment by card: the payment, then the booking, each as it is right after it", async () => {
    const events = await told(...PAID, refundStarted(T0 + 3_000, CARD_PAYMENT, 500, null));
    const [payment, booking] = events;
    expect(events.length).toBe(2);
    expect(payment).toMatchObject({ type: "payment.succeeded", apiVersion: "2026-11-01" });
    expect(payment?.createdAt).toBe("2027-01-03T10:00:02.000Z");
    expect(payment?.data.object).toMatchObject({ id: CARD_PAYMENT, status: "succeeded", amountRefunded: 0 });
    expect(booking).toMatchObject({
      type: "booking.confirmed",
      data: { object: { id: BOOKING, status: "confirmed" } },
    });
    expect(previousOf(events)).toStrictEqual([null, null]);
    expect(booking?.data.object).toStrictEqual(await bookingAsOf(made.models, T0 + 2_000));
  });

  test("a change: the fields that differ, with what they were", async () => {
    const seated = changed(T0 + 1_000, { seats: ["12A", "12B"], surcharges: [0, 0], totalAmount: 200_000 });
    const named = changed(T0 + 2_000, { reference: "trip 7" });
    const unnamed = changed(T0 + 3_000, { reference: null });
    const events = await told(created(), seated, named, unnamed);
    expect(typesOf(events)).toStrictEqual(["booking.changed", "booking.changed", "booking.changed"]);
    expect(previousOf(events)).toStrictEqual([
      { totalAmount: TOTAL, seats: ["10A", "10B"] },
      { reference: null },
      { reference: "trip 7" },
    ]);
    expect(events.map(({ data }) => ("reference" in data.object ? data.object.reference : null))).toStrictEqual([
      null,
      "trip 7",
      null,
    ]);
  });

  test("an invisible change makes no event", async () => {
    const closed: BookingEvent = { type: "SeatChangeClosed", at: T0 + 1, data: { changeId: "c1" } };
    const unseen = changed(T0 + 2, { surcharges: [0, 6_500] });
    const noted = changed(T0 + 3, { metadata: [["order", "7"]] });
    expect(await told(created(), closed, unseen, noted)).toStrictEqual([]);
  });

  test("stands in every list it belongs to, in the order of the log", async () => {
    const events = await told(...PAID, changed(T0 + 3_000, { reference: "trip 7" }));
    expect(await publicEvents(made.models, "all", "all")).toStrictEqual(events);
    expect(await publicEvents(made.models, "byAccountAndType", `${ACCOUNT}/booking.changed`)).toStrictEqual([
      events[2],
    ]);
    const [payment] = events;
    const document = await made.document("bookings.event", payment?.id ?? "");
    const place = { index: "all", partition: "all", order: "ascending", limit: 1 } as const;
    const [first] = await made.models.page("bookings.event", place);
    expect(first?.sort).toBe(eventSortKey(made.events[2]?.position ?? 0n, 0));
    expect(document?.body).toBe(JSON.stringify([3, ACCOUNT, BOOKING, T0 + 2_000, 2]));
  });
});

describe.each(DELIVERIES)("the creation of a booking, delivered %s", (delivery) => {
  afterEach(closeAll);

  const endpoint = (endpointId: string, ...events: PublicEventType[]): GivenEvent => {
    const data = { endpointId, accountId: ACCOUNT, url: "https://example.com", events };
    return [`webhookEndpoints-${ACCOUNT}`, { type: "WebhookEndpointRegistered", at: T0, data } as DomainEvent];
  };
  const changed = (endpointId: string, ...events: PublicEventType[]): GivenEvent => {
    const data = { endpointId, accountId: ACCOUNT, events };
    return [`webhookEndpoints-${ACCOUNT}`, { type: "WebhookEndpointChanged", at: T0, data } as DomainEvent];
  };
  const deleted = (endpointId: string): GivenEvent => {
    const data = { endpointId, accountId: ACCOUNT };
    return [`webhookEndpoints-${ACCOUNT}`, { type: "WebhookEndpointDeleted", at: T0, data } as DomainEvent];
  };
  const bookingOf = (accountId: string, bookingId: string) =>
    ofBooking([created(T0, { accountId, bookingId })], bookingId);

  test("is stored as an event for accounts with an endpoint that gets it, and for no others", async () => {
    const { models, events } = await deliver(
      bookings,
      [
        ...bookingOf(ACCOUNT, "bkg_early"),
        endpoint("whe_1", "booking.changed"),
        ...bookingOf(ACCOUNT, "bkg_unasked"),
        endpoint("whe_2", "booking.created"),
        endpoint("whe_3", "booking.created"),
        ...bookingOf(ACCOUNT, "bkg_two"),
        ...bookingOf("acc_2", "bkg_foreign"),
        deleted("whe_2"),
        ...bookingOf(ACCOUNT, "bkg_one"),
        changed("whe_3", "booking.changed"),
        ...bookingOf(ACCOUNT, "bkg_late"),
        changed("whe_3", "booking.created"),
        ...bookingOf(ACCOUNT, "bkg_three"),
      ],
      delivery,
    );
    const stored = await publicEvents(models, "all", "all");
    expect(stored.map(({ id, type }) => [id, type])).toStrictEqual([
      ["evt_two", "booking.created"],
      ["evt_one", "booking.created"],
      ["evt_three", "booking.created"],
    ]);
    const [place] = await models.page("bookings.event", {
      index: "all",
      partition: "all",
      order: "ascending",
      limit: 1,
    });
    expect(place?.sort).toBe(eventSortKey(events[5]?.position ?? 0n, 0));
    expect(await publicEvents(models, "byAccount", ACCOUNT)).toStrictEqual([]);
    expect(await publicEvents(models, "byAccountAndType", `${ACCOUNT}/booking.created`)).toStrictEqual([]);
  });
});

test("an id is the log event's, so ids sort by time; a change has one of its own, a creation that of the booking", () => {
  const eventId = "0196f0c2-0000-7abc-8def-0123450000a1";
  expect(publicEventId(eventId, "payment.succeeded", BOOKING)).toBe("evt_0196f0c200007abc8def0123450000a1");
  expect(publicEventId(eventId, "booking.changed", BOOKING)).toBe("evt_0196f0c200008abc8def0123450000a1");
  expect(publicEventId(eventId, "booking.created", BOOKING)).toBe("evt_0123456789abcdef0123456789abcdef");
});

test("one log event makes booking.changed first, and then the status event", () => {
  const changes = { status: { from: "pending", to: "cancelled" }, seats: { from: ["10A"], to: [] } };
  const event = {
    type: "BookingCancelled",
    at: T0,
    data: { bookingId: BOOKING, cause: "expired", reason: null },
  } as const;
  expect(publicEventsOf(event, changes)).toStrictEqual([
    { type: "booking.changed", previousAttributes: { seats: ["10A"] } },
    { type: "booking.cancelled", previousAttributes: null },
  ]);
  const created = { type: "BookingConfirmed", at: T0, data: { bookingId: BOOKING } } as const;
  expect(publicEventsOf(created, {}).map(({ type }) => type)).toStrictEqual(["booking.confirmed"]);
});
