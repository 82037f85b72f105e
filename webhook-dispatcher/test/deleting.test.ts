import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { World } from "./kit/world.ts";

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

test("after an endpoint was deleted nothing is sent to it, and nothing is kept of what it was owed", async () => {
  receiver.respond = respondWith(500);
  const endpoint = await world.endpoint(receiver.url);
  for (let n = 0; n < 5; n += 1) await world.event(`bkg_${n}`);
  await world.drained();
  await world.deleteEndpoint(endpoint);
  const before = receiver.received.length;
  await world.event("bkg_1");
  await world.advance(10 * 86_400_000);
  expect(receiver.received).toHaveLength(before);
  expect(await world.state.list("webhook-lanes", { limit: 10 })).toStrictEqual([]);
});

test("the mark alone is enough: the read model may be late", async () => {
  const endpoint = await world.endpoint(receiver.url);
  await world.log.stop(endpoint.id, world.clock.now());
  await world.event("bkg_1");
  await world.drained();
  expect(receiver.received).toHaveLength(0);
  expect(await world.state.list("webhook-lanes", { limit: 10 })).toStrictEqual([]);
});

test("the read model alone is enough: the mark may have been lost on the way", async () => {
  receiver.respond = respondWith(500);
  const endpoint = await world.endpoint(receiver.url);
  await world.event("bkg_1");
  await world.drained();
  await world.models.removeEndpoint(endpoint.accountId, endpoint.id);
  const before = receiver.received.length;
  await world.event("bkg_1");
  await world.advance(10 * 86_400_000);
  expect(receiver.received).toHaveLength(before);
  expect(await world.state.list("webhook-lanes", { limit: 10 })).toStrictEqual([]);
});

test("read models that are being built anew are waited for, and nothing is forgotten meanwhile", async () => {
  receiver.respond = respondWith(500);
  const endpoint = await world.endpoint(receiver.url);
  await world.event("bkg_1");
  await world.drained();
  await world.models.removeEndpoint(endpoint.accountId, endpoint.id);
  const { position } = world.models;
  world.models.position = 0n;
  world.clock.advance(5_000);
  await expect(world.drained()).rejects.toThrow("can't be attempted");
  expect(await world.status(endpoint)).toMatchObject({ owed: 1 });
  world.models.position = position;
});

test("attempts under way when an endpoint is deleted are abandoned", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  receiver.respond = (_received, response) => void response.once("close", resolve);
  const endpoint = await world.endpoint(receiver.url);
  await world.event("bkg_1");
  await receiver.untilCount(1);
  await world.deleteEndpoint(endpoint);
  await closed;
  expect(await world.attempts(endpoint)).toStrictEqual([]);
});
