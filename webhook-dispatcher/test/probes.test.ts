import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { type Endpoint, T0, World } from "./kit/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: World;
let receiver: Receiver;

beforeEach(async () => {
  world = await World.open();
  receiver = await Receiver.start(respondWith(503));
  world.dispatcher.start();
});
afterEach(async () => {
  await world.close();
  await receiver.stop();
});

/** Endpoints that have failed for five days, the first attempts so many minutes after T0. */
async function pausedEndpoints(...minutes: readonly number[]): Promise<readonly Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (const [n, after] of minutes.entries()) {
    await world.advance(T0 + after * MINUTE - world.clock.now());
    const accountId = `acc_${n}`;
    endpoints.push(await world.endpoint(receiver.url, { accountId }));
    await world.event(`bkg_${n}`, "booking.changed", accountId);
    await world.drained();
  }
  await world.advance(T0 + 5 * DAY + 30 * MINUTE - world.clock.now());
  for (const endpoint of endpoints) expect((await world.status(endpoint)).status).toBe("paused");
  return endpoints;
}

async function probesOf(endpoint: Endpoint): Promise<readonly number[]> {
  const attempts = await world.attempts(endpoint);
  return attempts.filter(({ attempt }) => attempt === 0).map(({ deliveredAt }) => deliveredAt - T0);
}

test("endpoints are probed hourly, each at its own time", async () => {
  const starts = [0, 8, 20];
  const endpoints = await pausedEndpoints(...starts);
  for (let hour = 0; hour < 12; hour += 1) await world.advance(HOUR);
  for (const [n, endpoint] of endpoints.entries()) {
    const first = 5 * DAY + (starts[n] ?? 0) * MINUTE + HOUR;
    expect(await probesOf(endpoint)).toStrictEqual(Array.from({ length: 12 }, (_, hour) => first + hour * HOUR));
  }
});

test("the clock is not held up for what was probed in vain since it began to be moved", async () => {
  const [endpoint = undefined] = await pausedEndpoints(0);
  if (endpoint === undefined) throw new Error("there is one");
  await world.advance(90 * DAY);
  const end = 95 * DAY + 30 * MINUTE;
  expect(await probesOf(endpoint)).toStrictEqual([5 * DAY + HOUR, end]);
  await world.advance(90 * DAY);
  expect(await probesOf(endpoint)).toStrictEqual([5 * DAY + HOUR, end, end + HOUR, end + 90 * DAY]);
});

test("an endpoint that pauses while the clock is moved is probed an hour later, and recovers then", async () => {
  const endpoint = await world.endpoint(receiver.url);
  await world.event("bkg_1");
  await world.advance(5 * DAY - HOUR);
  receiver.respond = respondWith(204);
  await world.advance(90 * DAY);
  expect(await probesOf(endpoint)).toStrictEqual([5 * DAY + HOUR]);
  expect((await world.status(endpoint)).status).toBe("active");
});

test("a probe is due until it is recorded, and is made once", async () => {
  const [endpoint = undefined] = await pausedEndpoints(0);
  if (endpoint === undefined) throw new Error("there is one");
  const before = receiver.received.length;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  receiver.respond = async (_received, response) => {
    await released;
    response.writeHead(503).end();
  };
  world.clock.set(T0 + 5 * DAY + HOUR);
  const settled = world.drained();
  await receiver.untilCount(before + 1);
  expect(await world.dispatcher.due.isSettled(world.clock.now())).toBe(false);
  // Checks in the meantime schedule the same probe.
  await world.queue.schedule(`${endpoint.id}/`);
  release();
  await settled;
  await world.drained();
  expect(receiver.received).toHaveLength(before + 1);
  const now = world.clock.now();
  expect(await world.dispatcher.nextDueAt(now, now)).toBe(T0 + 5 * DAY + 2 * HOUR);
});

test("a probe that was not recorded is repeated", async () => {
  await pausedEndpoints(0);
  const before = receiver.received.length;
  receiver.respond = () => undefined;
  world.clock.set(T0 + 5 * DAY + HOUR);
  await receiver.untilCount(before + 1);
  await world.restart();
  receiver.respond = respondWith(204);
  await receiver.untilCount(before + 2);
  await world.drained();
  expect(new Set(world.recordedMetrics.outcomes.slice(-1))).toStrictEqual(new Set(["succeeded"]));
});
