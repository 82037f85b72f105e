import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { ManualClock } from "@travel-booking/runtime";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { Paces } from "../src/lanes/paces.ts";
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

test("what is owed goes to the new URL, with the receiver's own headers beside those of the service", async () => {
  const former = await Receiver.start();
  former.respond = respondWith(500);
  const endpoint = await world.endpoint(former.url);
  const id = await world.event("bkg_1");
  await former.untilCount(1);
  await world.secrets.put("own", JSON.stringify({ "X-Key": "k 1", Authorization: "Bearer t" }));
  await world.change(endpoint, { url: receiver.url, headers: { headersId: "own", names: ["X-Key", "Authorization"] } });
  await world.advance(10_000);
  expect([receiver.ids, former.received.length]).toStrictEqual([[id], 1]);
  expect(receiver.received[0]?.headers).toMatchObject({
    "x-key": "k 1",
    authorization: "Bearer t",
    "content-type": "application/json",
    "webhook-id": id,
  });
  expect(former.received[0]?.headers["x-key"]).toBeUndefined();
  await former.stop();
});

test("a paused endpoint stays paused at its new URL", async () => {
  receiver.respond = respondWith(410);
  const endpoint = await world.endpoint(receiver.url);
  await world.event("bkg_1");
  await world.drained();
  const other = await Receiver.start();
  await world.change(endpoint, { url: other.url });
  await world.event("bkg_2");
  await world.drained();
  expect([(await world.status(endpoint)).status, other.received.length]).toStrictEqual(["paused", 0]);
  await other.stop();
});

test("no more attempts than the pace of an endpoint begin within a second, and it holds up no other", async () => {
  const times: number[] = [];
  const paced = await Receiver.start();
  paced.respond = (_, response) => {
    times.push(performance.now());
    response.writeHead(204).end();
  };
  const endpoint = await world.endpoint(paced.url);
  await world.change(endpoint, { maxPerSecond: 20 });
  await world.endpoint(receiver.url);
  const ids: string[] = [];
  for (let n = 0; n < 45; n += 1) ids.push(await world.event(`bkg_${n}`));
  await receiver.untilCount(45);
  expect(times.length).toBeLessThan(45);
  await world.drained();
  expect(paced.ids.toSorted()).toStrictEqual(ids.toSorted());
  // Deliveries take a moment to arrive, which differs a little.
  for (const [index, time] of times.entries()) expect((times[index + 20] ?? time + 1_000) - time).toBeGreaterThan(900);
  await paced.stop();
});

test("processes that share a store keep the pace together, and so does the next one", async () => {
  const options = { state: new InMemoryStateStore(), clock: new ManualClock(T0) };
  const [one, other] = [new Paces(options), new Paces(options)];
  const takes = await Promise.all(Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? one : other).take("whe_1", 1)));
  expect(takes.filter((waitMs) => waitMs === 0)).toHaveLength(1);
  expect(await new Paces(options).take("whe_1", 1)).toBeGreaterThan(0);
  expect(await other.take("whe_2", 1_000)).toBe(0);
});
