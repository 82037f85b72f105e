import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { NewWebhookEndpointBody, WebhookStatusBody } from "@travel-booking/api-contract";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { until } from "../../support/until.ts";
import { expectStatus } from "../kit/client.ts";
import { feed } from "../kit/feed.ts";
import { openWorld, type World } from "../kit/world.ts";

const PATH = "/v1/webhook-endpoints";
const TYPES = ["endpoint.failing", "endpoint.recovered"];

let world: World;
let receiver: Receiver;
let other: Receiver;

beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 300 }], env: { WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" } });
  receiver = await Receiver.start();
  other = await Receiver.start();
});
afterAll(async () => {
  await world.discard();
  await receiver.stop();
  await other.stop();
});

test("an endpoint is told that another fails and has recovered, once each, as events list it", async () => {
  const { alice } = world;
  const create = async (url: string, events: readonly string[]) =>
    expectStatus(201, await alice.post<NewWebhookEndpointBody>(PATH, { url, events })).id;
  const failing = await create(receiver.url, ["booking.changed", ...TYPES]);
  await create(other.url, TYPES);
  const statusOf = async () => expectStatus(200, await alice.get<WebhookStatusBody>(`${PATH}/${failing}/status`));
  receiver.respond = respondWith(500);
  const { id } = await alice.newBooking("F");
  expectStatus(200, await alice.patch(`/v1/bookings/${id}`, { reference: "changed" }));
  await other.untilCount(1);
  const { since } = await statusOf();
  receiver.respond = respondWith(204);
  expectStatus(200, await alice.post(`${PATH}/${failing}/resume`));
  await other.untilCount(2);
  await until(async () => (await statusOf()).owed === 0);
  const told = other.received.map(({ event }) => event);
  const object = { endpointId: failing, status: "active", reason: null, since: (await statusOf()).since };
  expect(told.map(({ type, data }) => [type, data.object])).toStrictEqual([
    ["endpoint.failing", { ...object, status: "failing", reason: "the endpoint answered 500", since }],
    ["endpoint.recovered", object],
  ]);
  expect((await feed(alice, { type: TYPES.join(), order: "asc" })).data).toStrictEqual(told);
  expect(new Set(receiver.received.map(({ event }) => event.type))).toStrictEqual(new Set(["booking.changed"]));
});
