import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { PUBLIC_EVENT_TYPES, USUAL_EVENT_TYPES } from "@travel-booking/domain";
import { FLIGHTS } from "@travel-booking/read-models";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { T0, World } from "./kit/world.ts";

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

test("only endpoints that name them get other events than the usual ones", async () => {
  await world.endpoint(receiver.url, { events: USUAL_EVENT_TYPES });
  await world.event("bkg_one", "booking.created");
  await world.holdExpired("hld_1");
  const confirmed = await world.event("bkg_one", "booking.confirmed");
  await world.drained();
  expect(receiver.ids).toStrictEqual([confirmed]);
});

test("a booking's creation comes first in its lane, and an expired hold has a lane of its own", async () => {
  const endpoint = await world.endpoint(receiver.url, { events: PUBLIC_EVENT_TYPES });
  receiver.respond = respondWith(500);
  const created = await world.event("bkg_one", "booking.created");
  const changed = await world.event("bkg_one", "booking.changed");
  const expired = await world.holdExpired("hld_1");
  await world.drained();
  expect(receiver.ids.toSorted()).toStrictEqual([created, expired].toSorted());
  const attempts = await world.attempts(endpoint);
  expect(new Map(attempts.map(({ eventId, bookingId }) => [eventId, bookingId]))).toStrictEqual(
    new Map([
      [created, "bkg_one"],
      [expired, null],
    ]),
  );
  receiver.respond = respondWith(204);
  receiver.received.length = 0;
  await world.advance(60_000);
  expect(receiver.ids.filter((id) => id !== expired)).toStrictEqual([created, changed]);
  expect(receiver.received.find(({ event }) => event.id === expired)?.event).toStrictEqual({
    id: expired,
    type: "hold.expired",
    createdAt: "2026-11-21T12:00:00.000Z",
    apiVersion: "2026-11-01",
    data: {
      object: {
        id: "hld_1",
        flightId: "KP442-20270301",
        cabin: "economy",
        seats: ["12A"],
        status: "expired",
        createdAt: "2026-11-21T11:45:00.000Z",
        expiresAt: "2026-11-21T12:00:00.000Z",
      },
      previousAttributes: null,
    },
  });
  expect(await world.state.list("webhook-lanes", { limit: 10 })).toStrictEqual([]);
});

test("a read model of flights that stands still holds up no event of a booking", async () => {
  await world.endpoint(receiver.url, { events: PUBLIC_EVENT_TYPES });
  world.hold(FLIGHTS.projection);
  const expired = await world.holdExpired("hld_1");
  const changed = await world.event("bkg_one");
  await receiver.untilCount(1);
  await world.drained();
  expect(receiver.ids).toStrictEqual([changed]);
  world.releaseAll();
  await world.drained();
  expect(receiver.ids).toStrictEqual([changed, expired]);
});

test("a replay has events of bookings and of holds, in their order, and none twice", async () => {
  const { id: endpointId, accountId } = await world.endpoint(receiver.url, {
    events: ["booking.changed", "hold.expired"],
  });
  const ids: string[] = [];
  for (let n = 0; n < 150; n += 1) {
    await world.event(`bkg_b${n}`, "booking.created");
    ids.push(await world.holdExpired(`hld_${n}`), await world.event(`bkg_b${n}`));
  }
  await world.drained();
  expect(receiver.ids.toSorted()).toStrictEqual(ids.toSorted());
  receiver.received.length = 0;
  await world.dispatcher.requestReplay({ accountId, endpointId, since: T0 });
  await world.drained();
  expect(receiver.ids.toSorted()).toStrictEqual(ids.toSorted());
});

test("other endpoints that ask for it are told that one fails, which itself is never told", async () => {
  const told = ["endpoint.failing"] as const;
  const failing = await world.endpoint(receiver.url, { events: [...told, "booking.changed"] });
  const other = await Receiver.start();
  await world.endpoint(other.url, { events: told });
  await world.endpoint(receiver.url, { events: told, accountId: "acc_other" });
  receiver.respond = respondWith(500);
  await world.event("bkg_one");
  await world.drained();
  expect(
    (await world.state.list("webhook-failing-endpoints", { limit: 10 })).map(({ key, value }) => [key, value]),
  ).toStrictEqual([[failing.id, { accountId: failing.accountId, isRecorded: false }]]);
  const id = await world.endpointFailing(failing);
  await world.drained();
  await world.dispatcher.requestReplay({ accountId: failing.accountId, endpointId: failing.id, since: T0 });
  await world.drained();
  expect(receiver.received.map(({ event }) => event.type)).toStrictEqual(["booking.changed"]);
  expect(other.received.map(({ event }) => event)).toStrictEqual([
    {
      id,
      type: "endpoint.failing",
      createdAt: "2026-11-21T12:00:00.000Z",
      apiVersion: "2026-11-01",
      data: {
        object: {
          endpointId: failing.id,
          status: "failing",
          reason: "the endpoint answered 500",
          since: "2026-11-21T12:00:00.000Z",
        },
        previousAttributes: null,
      },
    },
  ]);
  await other.stop();
});

test("a failed attempt to tell of another endpoint lets nothing be told", async () => {
  const failing = await world.endpoint(receiver.url, { events: ["hold.expired"] });
  const told = await world.endpoint(receiver.url, { events: ["endpoint.failing"] });
  receiver.respond = respondWith(500);
  await world.endpointFailing(failing);
  await world.drained();
  expect((await world.status(told)).status).toBe("failing");
  expect(await world.state.list("webhook-failing-endpoints", { limit: 10 })).toStrictEqual([]);
});

test("a crash between a lane and the place of its feed adds nothing twice", async () => {
  const steps: string[] = [];
  await world.dispatcher.stop();
  world.dispatcher = world.newDispatcher({
    reachedFaultPoint(name) {
      steps.push(name);
      if (name === "webhook:owed") throw new Error("it dies here");
    },
  });
  const endpoint = await world.endpoint(receiver.url, { events: ["hold.expired"] });
  const expired = await world.holdExpired("hld_1");
  await expect(world.drained()).rejects.toThrow("it dies here");
  await world.restart();
  await world.drained();
  expect([receiver.ids, (await world.attempts(endpoint)).length, steps]).toStrictEqual([
    [expired],
    1,
    ["webhook:owed"],
  ]);
});
