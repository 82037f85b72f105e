import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { World } from "./kit/world.ts";

let world: World;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(async () => {
  await world.close();
  await receiver.stop();
});

const DAYS = 86_400_000;

test("a suspended account is owed what happens, and gets it in order when it is active again; others get theirs", async () => {
  world = await World.open();
  world.dispatcher.start();
  const endpoint = await world.endpoint(receiver.url);
  await world.endpoint(receiver.url, { accountId: "acc_2" });
  await world.account("suspended");
  const owed = [await world.event("bkg_1"), await world.event("bkg_1")];
  const other = await world.event("bkg_2", "booking.changed", "acc_2");
  await world.advance(10 * DAYS);
  expect(receiver.ids).toStrictEqual([other]);
  expect(await world.status(endpoint)).toMatchObject({ status: "active", owed: 2 });
  await world.account("active");
  await world.drained();
  expect(receiver.ids).toStrictEqual([other, ...owed]);
});

test("retries and probes rest while the account is suspended, also after a restart", async () => {
  world = await World.open();
  world.dispatcher.start();
  receiver.respond = respondWith(500);
  await world.endpoint(receiver.url);
  await world.event("bkg_1");
  await world.advance(6 * DAYS);
  const before = receiver.received.length;
  await world.account("suspended");
  await world.restart();
  await world.advance(10 * DAYS);
  expect(receiver.received).toHaveLength(before);
  await world.account("active");
  receiver.respond = respondWith(200);
  await world.advance(2 * DAYS);
  expect(receiver.received.length).toBeGreaterThan(before);
});

test("an attempt that waits for the name servers is not sent if the account is suspended meanwhile", async () => {
  const resolving = Promise.withResolvers<void>();
  const suspended = Promise.withResolvers<void>();
  world = await World.open({
    async resolve() {
      resolving.resolve();
      await suspended.promise;
      return ["127.0.0.1"];
    },
  });
  world.dispatcher.start();
  const endpoint = await world.endpoint(receiver.url.replace("127.0.0.1", "receiver.test"));
  await world.event("bkg_1");
  await resolving.promise;
  await world.account("suspended");
  suspended.resolve();
  await world.drained();
  expect(receiver.received).toHaveLength(0);
  expect(await world.status(endpoint)).toMatchObject({ owed: 1 });
});
