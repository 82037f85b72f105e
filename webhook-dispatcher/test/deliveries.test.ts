import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { BookingBody } from "@travel-booking/api-contract";
import { BOOKINGS, findEventStub, jsonOfEvents, PROJECTION_NAMES, WEBHOOKS } from "@travel-booking/read-models";
import { isSigned, isStandardSigned, Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { ACCOUNT, T0, World } from "./kit/world.ts";

let world: World;
let receiver: Receiver;

beforeEach(async () => {
  world = await World.open();
  receiver = await Receiver.start();
  world.dispatcher.start();
});
afterEach(async () => {
  await world.close();
  await receiver.stop();
});

test("no attempt begins that could not be recorded", async () => {
  let room = false;
  const full = await World.open({ mayBegin: () => room });
  full.dispatcher.start();
  const endpoint = await full.endpoint(receiver.url);
  const id = await full.event("bkg_1", "booking.confirmed");
  await expect(full.drained()).rejects.toThrow("deliveries are due that can't be attempted");
  expect(receiver.received).toStrictEqual([]);
  room = true;
  await full.drained();
  expect((await full.attempts(endpoint)).map(({ eventId, attempt }) => [eventId, attempt])).toStrictEqual([[id, 1]]);
  await full.close();
});

describe("a delivery", () => {
  test("is the event, byte for byte, signed in both ways, posted to the URL", async () => {
    const endpoint = await world.endpoint(receiver.url);
    const id = await world.event("bkg_1", "booking.confirmed");
    await receiver.untilCount(1);
    const [received] = receiver.received;
    const stub = await findEventStub(world.models.opened, "acc_1", id);
    const { json } = await jsonOfEvents(world.models.opened, [stub]);
    expect(received?.body).toBe(json[0]);
    expect([received?.method, received?.path]).toStrictEqual(["POST", "/hooks?from=here"]);
    expect(received?.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(received?.body ?? "")),
      "webhook-id": id,
      host: new URL(receiver.url).host,
    });
    expect(received && isSigned(received, endpoint.secret)).toBe(true);
    expect(received && isStandardSigned(received, endpoint.secret)).toBe(true);
    expect(Math.abs(Number(received?.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(60);
  });

  test("is logged, and nothing is pending any more", async () => {
    const endpoint = await world.endpoint(receiver.url);
    const id = await world.event("bkg_1", "payment.succeeded");
    await world.drained();
    expect(await world.attempts(endpoint)).toStrictEqual([
      {
        id: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
        endpointId: endpoint.id,
        accountId: "acc_1",
        eventId: id,
        eventType: "payment.succeeded",
        bookingId: "bkg_1",
        status: "succeeded",
        attempt: 1,
        responseStatus: 204,
        error: null,
        durationMs: expect.any(Number),
        deliveredAt: T0,
        nextAttemptAt: null,
        signature: receiver.received[0]?.headers["service-signature"],
      },
    ]);
    const healthy = { status: "active", reason: null, since: null, owed: 0, oldestOwedAt: null };
    expect(await world.status(endpoint)).toStrictEqual(healthy);
    expect(await world.state.list("webhook-lanes", { limit: 10 })).toStrictEqual([]);
  });

  test("goes to endpoints that subscribed to its type before it happened, and to no other account", async () => {
    const before = await world.event("bkg_1", "booking.confirmed");
    const all = await Receiver.start();
    const confirmed = await Receiver.start();
    const others = await Receiver.start();
    await world.endpoint(all.url);
    await world.endpoint(confirmed.url, { events: ["booking.confirmed"] });
    await world.endpoint(others.url, { accountId: "acc_2" });
    const changed = await world.event("bkg_1", "booking.changed");
    const again = await world.event("bkg_2", "booking.confirmed");
    const foreign = await world.event("bkg_3", "booking.confirmed", "acc_2");
    await world.drained();
    expect(new Set(all.ids)).toStrictEqual(new Set([changed, again]));
    expect(confirmed.ids).toStrictEqual([again]);
    expect(others.ids).toStrictEqual([foreign]);
    expect(all.ids).not.toContain(before);
    for (const one of [all, confirmed, others]) await one.stop();
  });

  test("is derived once for all endpoints that get it, also where they fail", async () => {
    const document = jest.spyOn(world.models.opened, "document");
    const count = 30;
    receiver.respond = (_, response) => void response.writeHead(500).end("no");
    for (let n = 0; n < count; n += 1) await world.endpoint(receiver.url);
    const ids = [await world.event("bkg_1"), await world.event("bkg_1")];
    await world.drained();
    expect(receiver.ids).toStrictEqual(Array(count).fill(ids[0]));
    receiver.respond = respondWith(200);
    await world.advance(10_000);
    expect(receiver.received.length).toBe(3 * count);
    expect(document.mock.calls.filter(([model]) => model === BOOKINGS.booking.model).length).toBe(ids.length);
  });

  test("is derived anew once its words are erased", async () => {
    receiver.respond = respondWith(500);
    await world.endpoint(receiver.url);
    await world.sealedEvent("bkg_1");
    await world.drained();
    await world.words.keys.erase(ACCOUNT);
    await world.advance(10_000);
    const names = receiver.received.map(({ event }) => (event.data.object as BookingBody).passengers[0]?.name);
    expect(names).toStrictEqual(["Zoë 🚀", "[erased]"]);
  });

  test.each([BOOKINGS, WEBHOOKS])("is made only when the read model $projection has its event", async (awaited) => {
    await world.endpoint(receiver.url);
    world.hold(awaited.projection);
    const id = await world.event("bkg_1");
    await world.drained();
    expect(receiver.ids).toStrictEqual([]);
    world.releaseAll();
    await receiver.untilCount(1);
    expect(receiver.ids).toStrictEqual([id]);
  });

  test("waits for no other read model", async () => {
    await world.endpoint(receiver.url);
    world.hold(...PROJECTION_NAMES.filter((name) => name !== BOOKINGS.projection && name !== WEBHOOKS.projection));
    const id = await world.event("bkg_1");
    await world.drained();
    expect(receiver.ids).toStrictEqual([id]);
  });
});

describe("order", () => {
  test("of one booking's events, payments included, with many bookings at once", async () => {
    receiver.respond = async (_received, response, count) => {
      // Responses come in another order than the requests were sent.
      for (let turn = count % 3; turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve));
      response.writeHead(200).end("thank you");
    };
    await world.endpoint(receiver.url);
    const sent = new Map<string, string[]>();
    for (let round = 0; round < 10; round += 1) {
      for (let booking = 0; booking < 12; booking += 1) {
        const bookingId = `bkg_${booking}`;
        const id = await world.event(bookingId, round % 2 === 0 ? "booking.changed" : "payment.failed");
        sent.set(bookingId, [...(sent.get(bookingId) ?? []), id]);
      }
    }
    await world.drained();
    expect(receiver.received).toHaveLength(120);
    for (const ids of sent.values()) {
      expect(receiver.ids.filter((id) => ids.includes(id))).toStrictEqual(ids);
    }
  });

  test("of a booking with more events than its lane lists", async () => {
    receiver.respond = respondWith(500);
    const endpoint = await world.endpoint(receiver.url, { events: ["booking.changed"] });
    const ids: string[] = [];
    for (let n = 0; n < 350; n += 1) {
      // More of them in a row than one read looks at in vain.
      for (let other = 0; other < (n === 210 ? 40 : Number(n % 7 === 0)); other += 1) {
        await world.event("bkg_1", "payment.failed");
      }
      ids.push(await world.event("bkg_1"));
    }
    await world.drained();
    expect(await world.status(endpoint)).toMatchObject({ status: "failing", owed: 350, oldestOwedAt: T0 });
    receiver.received.length = 0;
    receiver.respond = respondWith(200);
    await world.advance(10_000);
    expect(receiver.ids).toStrictEqual(ids);
    expect(await world.status(endpoint)).toMatchObject({ status: "active", owed: 0 });
  });

  test("a failing delivery holds up its booking and no other", async () => {
    let refused: string | undefined = "evt_2";
    receiver.respond = ({ event }, response) => {
      response.writeHead(event.id === refused ? 503 : 200).end();
    };
    await world.endpoint(receiver.url);
    const first = await world.event("bkg_1");
    const second = await world.event("bkg_1");
    const other = await world.event("bkg_2");
    await world.drained();
    expect([first, new Set(receiver.ids)]).toStrictEqual([refused, new Set([first, other])]);
    refused = undefined;
    await world.advance(5_000);
    expect(receiver.ids.filter((id) => id !== other)).toStrictEqual([first, first, second]);
  });
});
