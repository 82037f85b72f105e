import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { World } from "./kit/world.ts";

const TYPES = ["endpoint.failing", "endpoint.recovered"];

let world: World;
let receiver: Receiver;
let other: Receiver;

beforeAll(async () => {
  world = await World.open();
  receiver = await Receiver.start();
  other = await Receiver.start();
});
afterAll(async () => {
  await world.close();
  await receiver.stop();
  await other.stop();
});

test("an endpoint is told that another fails and has recovered, once each, as events list it", async () => {
  const failing = await world.endpoint(receiver.url, ["booking.changed", ...TYPES]);
  await world.endpoint(other.url, TYPES);
  receiver.respond = respondWith(500);
  await world.change(await world.book(), "F");
  await other.untilCount(1);
  const { since } = await world.status(failing);
  receiver.respond = respondWith(204);
  await world.api.post(`/v1/webhook-endpoints/${failing.id}/resume`, {});
  await other.untilCount(2);
  const told = other.received.map(({ event }) => event);
  expect(told.map(({ type, data }) => [type, data.object])).toStrictEqual([
    ["endpoint.failing", { endpointId: failing.id, status: "failing", reason: "the endpoint answered 500", since }],
    [
      "endpoint.recovered",
      { endpointId: failing.id, status: "active", reason: null, since: (await world.status(failing)).since },
    ],
  ]);
  const { body } = await world.api.get<{ readonly data: unknown }>(`/v1/events?type=${TYPES}&order=asc`);
  expect(body.data).toStrictEqual(told);
  await world.untilNothingIsPending(failing);
  expect(new Set(receiver.received.map(({ event }) => event.type))).toStrictEqual(new Set(["booking.changed"]));
});
