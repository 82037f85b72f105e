import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { EventBody, WebhookDeliveryBody } from "@travel-booking/api-contract";
import { type BookingEvent, DAY, MINUTE } from "@travel-booking/domain";
import { ownedKey, TEST_EVENTS } from "@travel-booking/read-models";
import type { WordKey } from "@travel-booking/read-models/sealed-words";
import { attemptIdOf } from "@travel-booking/webhooks/deliveries";
import { created, idsOf, paid, T0 } from "./kit/bookings.ts";
import { referenceChanged } from "./kit/events.ts";
import { type ApiReader, type ReadService, readAllPages, startReadService } from "./kit/read-service.ts";

const BOOKINGS = 3;
const CHANGES = 30;
const ENDPOINT = "whe_1";
/** Each word once: what has the same words is stored no larger. */
const metadata = Array.from({ length: 300 }, (_, index) => [`key ${index}`, `${index} `.padEnd(3_000, "x")] as const);

/** The n-th booking: more is stored of it than one read takes. */
function lifeOf(number: number): readonly BookingEvent[] {
  const [started, ...rest] = paid(idsOf(number), T0) as [BookingEvent, ...BookingEvent[]];
  const changes = Array.from({ length: CHANGES }, (_, index) => referenceChanged(T0 + index, `r${index}`));
  const large = { ...started, data: { ...started.data, metadata } } as BookingEvent;
  return [created(idsOf(number), T0 + number), large, ...rest, ...changes];
}

let service: ReadService;
let ada: ApiReader;
/** Of all bookings, newest first. */
let events: readonly EventBody[];
beforeAll(async () => {
  service = await startReadService(T0 + DAY);
  ada = await service.openAccount("acc_1");
  const registered = { endpointId: ENDPOINT, accountId: "acc_1", url: "https://a.example/", events: [] };
  await service.record("webhookEndpoints-acc_1", { type: "WebhookEndpointRegistered", at: T0, data: registered });
  for (let number = 1; number <= BOOKINGS; number += 1) {
    const key = (await service.words.keys.pages.next("acc_1")) as WordKey;
    const life = lifeOf(number).map((event) => service.words.sealEvent(event, key));
    await service.record(`booking-${idsOf(number).booking}`, ...life);
  }
  events = (await readAllPages(ada, "/v1/events?limit=100")).flat() as EventBody[];
});
afterAll(() => service.stop());
beforeEach(() => {
  service.models.wholeBookings = 0;
  service.models.listedBookings = 0;
});

async function attempt(eventId: string, minute: number): Promise<void> {
  const deliveredAt = T0 + minute * MINUTE;
  const about = { endpointId: ENDPOINT, accountId: "acc_1", eventId, eventType: "booking.changed", bookingId: "-" };
  const outcome = { status: "succeeded", attempt: 1, responseStatus: 204, error: null, durationMs: 1 } as const;
  const id = attemptIdOf(deliveredAt);
  await service.deliveries.attempts.add({ id, ...about, ...outcome, deliveredAt, nextAttemptAt: null, signature: "s" });
}

const read = (url: string) => readAllPages(ada, url);
const ids = (bookings: unknown) => (bookings as { readonly id: string }[]).map(({ id }) => id);

describe("a page ends where what was read for it is large", () => {
  test("of bookings", async () => {
    const answer = await ada("/v1/bookings?limit=100");
    const { data, page } = answer.body as { readonly data: unknown; readonly page: { readonly hasMore: boolean } };
    expect([ids(data), page.hasMore]).toStrictEqual([[idsOf(BOOKINGS).booking], true]);
    expect(service.models.listedBookings).toBe(1);
    expect(ids((await read("/v1/bookings?limit=100")).flat())).toStrictEqual([3, 2, 1].map((n) => idsOf(n).booking));
  });

  test("of events", async () => {
    const pages = await read("/v1/events?limit=100&type=booking.changed");
    expect(pages.flat().length).toBe(BOOKINGS * CHANGES);
    expect(service.models.wholeBookings).toBeLessThanOrEqual(pages.length * 2);
    expect(pages.length).toBeGreaterThan(BOOKINGS);
  });

  test("of events of one booking, and of its history", async () => {
    const { booking } = idsOf(1);
    const ofBooking = await read(`/v1/events?limit=100&bookingId=${booking}&order=asc&type=booking.changed`);
    expect(ofBooking.map(({ length }) => length)).toStrictEqual([21, 9]);
    const history = await read(`/v1/bookings/${booking}/history?limit=100`);
    expect(history.map(({ length }) => length)).toStrictEqual([2, 21, 11]);
    expect(service.models.wholeBookings).toBe(5);
  });
});

describe("deliveries", () => {
  test("of one booking's events derive it once for all that are read together", async () => {
    const { booking } = idsOf(2);
    const ofBooking = events.filter(({ data: { object } }) => "id" in object && object.id === booking).slice(0, 20);
    for (const [index, { id }] of ofBooking.entries()) await attempt(id, index);
    const answer = await ada(`/v1/webhook-endpoints/${ENDPOINT}/deliveries?limit=100`);
    const { data } = answer.body as { readonly data: readonly WebhookDeliveryBody[] };
    expect(data.map(({ event }) => event)).toStrictEqual(ofBooking.toReversed());
    expect(service.models.wholeBookings).toBe(1);
  });

  test("go on behind test events that have expired", async () => {
    const sample = { value: "{}", expiresAt: T0 + DAY };
    const { id = "" } = events[0] ?? {};
    await attempt(id, 100);
    await service.state.create(TEST_EVENTS.space, ownedKey("acc_1", "evt_test"), sample.value, sample);
    for (let minute = 101; minute <= 125; minute += 1) await attempt("evt_test", minute);
    const pages = await read(`/v1/webhook-endpoints/${ENDPOINT}/deliveries?limit=10`);
    expect((pages.flat() as WebhookDeliveryBody[])[0]?.event).toStrictEqual(events[0]);
  });
});
