import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { bookingOf, isSigned, Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { operatorJson } from "../support/operator-cli.ts";
import { type Endpoint, World } from "./kit/world.ts";

const DAY = 86_400;

let world: World;
let receiver: Receiver;
let endpoint: Endpoint;

beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

beforeEach(async () => {
  receiver = await Receiver.start();
  endpoint = await world.endpoint(receiver.url);
});
afterEach(async () => {
  await world.api.call("DELETE", `/v1/webhook-endpoints/${endpoint.id}`);
  await receiver.stop();
});

describe("deliveries", () => {
  test("are the events of the list, byte for byte, signed, in the order of their booking", async () => {
    const bookings = await Promise.all(Array.from({ length: 8 }, () => world.book()));
    await Promise.all(
      bookings.map(async (bookingId) => {
        for (let n = 0; n < 5; n += 1) await world.change(bookingId, `R-${n}`);
        await world.pay(bookingId);
        await world.api.post(`/v1/bookings/${bookingId}/cancel`);
      }),
    );
    await receiver.untilCount(8 * 8);
    for (const bookingId of bookings) {
      const events = await world.eventsOf(bookingId);
      expect(events.map(({ type }) => type)).toStrictEqual([
        ...Array(5).fill("booking.changed"),
        "payment.succeeded",
        "booking.confirmed",
        "booking.cancelled",
      ]);
      expect(receiver.idsOfBooking(bookingId)).toStrictEqual(events.map(({ id }) => id));
    }
    for (const received of receiver.received) {
      expect(isSigned(received, endpoint.secret)).toBe(true);
      const { body } = await world.api.get<object>(`/v1/events/${received.event.id}`);
      expect(received.body).toBe(JSON.stringify(body));
    }
    expect(await world.status(endpoint)).toMatchObject({ status: "active", owed: 0, oldestOwedAt: null });
  });

  test("when the clock has been moved everything due has been attempted", async () => {
    const bookingId = await world.paidBooking(receiver);
    receiver.respond = respondWith(503);
    await world.change(bookingId, "A");
    await world.advance(1);
    expect(receiver.received.length).toBe(1);
    // The first pause is five seconds, and a fifth more or less by chance.
    await world.advance(6);
    expect(receiver.received.length).toBe(2);
    await world.advance(4 * DAY);
    expect(receiver.received.length).toBe(10);
    const { body } = await world.api.get<{ data: readonly { status: string; error: string }[] }>(
      `/v1/webhook-endpoints/${endpoint.id}/deliveries`,
    );
    const statuses = body.data.map(({ status }) => status);
    expect(statuses).toStrictEqual(["exhausted", ...Array(9).fill("failed"), "succeeded", "succeeded"]);
  });

  test("410 pauses it until its owner resumes it", async () => {
    const bookingId = await world.paidBooking(receiver);
    receiver.respond = respondWith(410);
    await world.change(bookingId, "A");
    await world.advance(10 * DAY);
    expect(receiver.received).toHaveLength(1);
    receiver.respond = respondWith(200);
    const resumed = await world.api.post(`/v1/webhook-endpoints/${endpoint.id}/resume`);
    expect([resumed.status, resumed.body]).toMatchObject([200, { status: "active", reason: null, owed: 1 }]);
    await receiver.untilCount(2);
  });

  test("after the answer to a DELETE nothing comes any more", async () => {
    receiver.respond = (_received, response) => void setImmediate(() => response.writeHead(200).end());
    const bookings = await Promise.all(Array.from({ length: 20 }, () => world.book()));
    const changes = Promise.all(
      bookings.map(async (bookingId) => {
        for (let n = 0; n < 5; n += 1) await world.change(bookingId, `X-${n}`);
      }),
    );
    await receiver.untilCount(10);
    const { status } = await world.api.call("DELETE", `/v1/webhook-endpoints/${endpoint.id}`);
    expect(status).toBe(204);
    // Requests sent before may still arrive; a round trip to the same receiver comes after them.
    await fetch(receiver.url, { method: "POST", body: '{"id":"mark","data":{"object":{"id":"mark"}}}' });
    const mark = receiver.received.length;
    await changes;
    await world.advance(DAY);
    expect(receiver.received).toHaveLength(mark);
  });
});

describe("a test delivery", () => {
  interface Delivery {
    readonly event: { readonly id: string; readonly type: string };
  }

  test.each(["booking.confirmed", "booking.changed", "booking.cancelled", "payment.succeeded", "payment.failed"])(
    "of %s arrives at once, signed, and can be fetched but is not listed",
    async (type) => {
      const quiet = await world.endpoint(receiver.url, ["payment.failed"]);
      const { status, body } = await world.api.post<Delivery>(`/v1/webhook-endpoints/${quiet.id}/test`, { type });
      expect([status, body]).toStrictEqual([
        200,
        {
          id: expect.stringMatching(/^dlv_/),
          endpointId: quiet.id,
          status: "succeeded",
          responseStatus: 204,
          error: null,
          durationMs: expect.any(Number),
          deliveredAt: expect.any(String),
          signature: receiver.received[0]?.headers["service-signature"],
          event: JSON.parse(receiver.received[0]?.body ?? "") as unknown,
        },
      ]);
      expect(receiver.received[0] && isSigned(receiver.received[0], quiet.secret)).toBe(true);
      const { id } = body.event;
      expect((await world.api.get(`/v1/events/${id}`)).body).toStrictEqual(body.event);
      const listed = await world.api.get<{ data: readonly { id: string }[] }>("/v1/events?limit=100");
      expect(listed.body.data.map((event) => event.id)).not.toContain(id);
      await world.api.call("DELETE", `/v1/webhook-endpoints/${quiet.id}`);
    },
  );

  test("that fails says why, and leaves the endpoint's health alone", async () => {
    receiver.respond = respondWith(500);
    const { body } = await world.api.post(`/v1/webhook-endpoints/${endpoint.id}/test`, { type: "booking.changed" });
    expect(body).toMatchObject({ status: "failed", responseStatus: 500, error: "the endpoint answered 500" });
    await receiver.stop();
    const refused = await world.api.post(`/v1/webhook-endpoints/${endpoint.id}/test`, { type: "booking.changed" });
    expect(refused.body).toMatchObject({
      status: "failed",
      responseStatus: null,
      error: "the endpoint refused the connection",
    });
    expect(await world.status(endpoint)).toMatchObject({ status: "active", owed: 0 });
    receiver = await Receiver.start();
  });
});

describe("a replay", () => {
  test("sends everything since then once more", async () => {
    const bookingId = await world.book();
    await world.change(bookingId, "before");
    await receiver.untilCount(1);
    await world.advance(60);
    const clock = await world.service.operator("GET", "/clock");
    const since = (clock.body as { now: string }).now;
    for (const reference of ["A", "B", "C"]) await world.change(bookingId, reference);
    await receiver.untilCount(4);
    await world.untilNothingIsPending(endpoint);
    receiver.received.length = 0;
    const { status, body } = await world.api.post(`/v1/webhook-endpoints/${endpoint.id}/replay`, { since });
    expect([status, body]).toStrictEqual([202, undefined]);
    await receiver.untilCount(3);
    expect(receiver.idsOfBooking(bookingId)).toStrictEqual(
      (await world.eventsOf(bookingId)).slice(1).map(({ id }) => id),
    );
  });

  test("may be asked for by the operator, who sees endpoints and attempts", async () => {
    const bookingId = await world.book();
    await world.change(bookingId, "A");
    await receiver.untilCount(1);
    await world.untilNothingIsPending(endpoint);
    const data = { DATA_DIR: world.service.dataDir };
    const path = `/v1/webhook-endpoints/${endpoint.id}/status`;
    const { body: status } = await world.api.get<{ readonly since: string }>(path);
    const endpoints = await operatorJson<readonly Endpoint[]>(data, "webhook", "endpoints");
    expect(endpoints.find(({ id }) => id === endpoint.id)).toStrictEqual({
      id: endpoint.id,
      accountId: expect.stringMatching(/^acc_/),
      url: receiver.url,
      events: expect.any(Array),
      status: "active",
      reason: null,
      since: status.since,
      owed: 0,
      oldestOwedAt: null,
      headerNames: [],
      maxPerSecond: null,
    });
    interface Attempt {
      readonly eventId: string;
      readonly endpointId: string;
      readonly status: string;
    }
    const own = await operatorJson<readonly Attempt[]>(data, "webhook", "deliveries", "--endpoint", endpoint.id);
    expect(own).toMatchObject([{ endpointId: endpoint.id, eventId: receiver.ids[0], status: "succeeded", attempt: 1 }]);
    const all = await operatorJson<readonly Attempt[]>(data, "webhook", "deliveries");
    expect(all[0]).toStrictEqual(own[0]);
    const since = "2020-01-01T00:00:00Z";
    const replay = ["webhook", "replay", "--endpoint", endpoint.id, "--since", since];
    expect(await operatorJson(data, ...replay)).toStrictEqual({
      endpointId: endpoint.id,
      since: "2020-01-01T00:00:00.000Z",
    });
    await receiver.untilCount(2);
    expect(new Set(receiver.ids).size).toBe(1);
    expect(bookingOf(receiver.received[1]!.event)).toBe(bookingId);

    expect((await world.api.call("DELETE", `/v1/webhook-endpoints/${endpoint.id}`)).status).toBe(204);
    const ofDeleted = operatorJson(data, "webhook", "deliveries", "--endpoint", endpoint.id);
    await expect(ofDeleted).rejects.toThrow("no webhook endpoint with this id");
  });
});

test("metrics show delivered and pending deliveries", async () => {
  const bookingId = await world.paidBooking(receiver);
  receiver.respond = respondWith(500);
  await world.change(bookingId, "A");
  await world.advance(1);
  const metrics = await (await fetch(world.service.metricsUrl)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  expect(value('webhook_deliveries_total\\{outcome="succeeded"\\}')).toBeGreaterThan(0);
  expect(value('webhook_deliveries_total\\{outcome="failed"\\}')).toBeGreaterThan(0);
  expect(value('webhook_deliveries_total\\{outcome="exhausted"\\}')).toBeGreaterThan(0);
  expect(value("webhook_retries_total")).toBeGreaterThan(0);
  expect(value("webhook_lanes_owed")).toBe(1);
  expect(value("webhook_oldest_undelivered_seconds")).toBeGreaterThanOrEqual(1);
  expect(value('webhook_endpoints_impaired\\{status="failing"\\}')).toBe(1);
  expect(value("webhook_events_waiting")).toBe(0);
});
