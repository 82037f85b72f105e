import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { AttemptLog, EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
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

/** Resolves when the next log of attempts was removed. */
function onceRemoved(): Promise<void> {
  const { promise: removed, resolve } = Promise.withResolvers<void>();
  const { removeAll } = AttemptLog.prototype;
  jest.spyOn(AttemptLog.prototype, "removeAll").mockImplementationOnce(async function (this: AttemptLog, id) {
    await removeAll.call(this, id);
    resolve();
  });
  return removed;
}

test("a deleted endpoint gets nothing more, and its lanes are removed", async () => {
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

test("the attempts of a deleted endpoint are removed", async () => {
  const endpoint = await world.endpoint(receiver.url);
  const other = await world.endpoint(receiver.url);
  for (let n = 0; n < 5; n += 1) await world.event(`bkg_${n}`);
  await world.drained();
  expect(await world.attempts(endpoint)).toHaveLength(5);
  const removed = onceRemoved();
  await world.deleteEndpoint(endpoint);
  await removed;
  expect(await world.attempts(endpoint)).toStrictEqual([]);
  expect(await world.attempts(other)).toHaveLength(5);
});

test("the attempts of a deleted endpoint are removed that nobody was woken for", async () => {
  const endpoint = await world.endpoint(receiver.url);
  const other = await world.endpoint(receiver.url);
  await world.event("bkg_1");
  await world.drained();
  await world.dispatcher.stop();
  await new EndpointDeliveries({ store: world.state }).stop(endpoint.id, world.clock.now());
  const removed = onceRemoved();
  await world.restart();
  await removed;
  expect(await world.attempts(endpoint)).toStrictEqual([]);
  expect(await world.attempts(other)).toHaveLength(1);
});

test("the deletion mark alone is enough: the read model may be behind", async () => {
  const endpoint = await world.endpoint(receiver.url);
  await world.log.stop(endpoint.id, world.clock.now());
  await world.event("bkg_1");
  await world.drained();
  expect(receiver.received).toHaveLength(0);
  expect(await world.state.list("webhook-lanes", { limit: 10 })).toStrictEqual([]);
});

test("the read model alone is enough: the mark may be missing", async () => {
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

test("read models that are being rebuilt are waited for, and no delivery is lost meanwhile", async () => {
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

test("attempts in flight are aborted when the endpoint is deleted", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  receiver.respond = (_received, response) => void response.once("close", resolve);
  const endpoint = await world.endpoint(receiver.url);
  await world.event("bkg_1");
  await receiver.untilCount(1);
  await world.deleteEndpoint(endpoint);
  await closed;
  expect(await world.attempts(endpoint)).toStrictEqual([]);
});
