import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { type Endpoint, World } from "./kit/world.ts";

const SLOW_ENDPOINTS = 34;
const BOOKINGS = 34;

let world: World;
let slow: Receiver;
let good: Receiver;

beforeEach(async () => {
  world = await World.open({ attemptTimeoutMs: 240_000 });
  slow = await Receiver.start(() => undefined);
  good = await Receiver.start();
  world.dispatcher.start();
});
afterEach(async () => {
  await world.close();
  await slow.stop();
  await good.stop();
});

/** One account with many endpoints without any response yet, and more pending deliveries than slots. */
async function slowEndpoints(accountId: string): Promise<readonly Endpoint[]> {
  const before = slow.received.length;
  const endpoints: Endpoint[] = [];
  for (let n = 0; n < SLOW_ENDPOINTS; n += 1) endpoints.push(await world.endpoint(slow.url, { accountId }));
  for (let n = 0; n < BOOKINGS; n += 1) await world.event(`bkg_${accountId}_${n}`, "booking.changed", accountId);
  // Each of them has started.
  await slow.untilCount(before + SLOW_ENDPOINTS);
  return endpoints;
}

async function nothingEnded(endpoints: readonly Endpoint[]): Promise<void> {
  for (const endpoint of endpoints) expect(await world.attempts(endpoint)).toStrictEqual([]);
}

test("an account whose receivers do not respond does not hold up another account", async () => {
  const endpoints = await slowEndpoints("acc_slow");
  await world.endpoint(good.url, { accountId: "acc_good" });
  for (let n = 0; n < 100; n += 1) await world.event(`bkg_${n % 50}`, "booking.changed", "acc_good");
  await good.untilCount(100);
  await nothingEnded(endpoints);
});

test("another endpoint of the same account is not held up either", async () => {
  const endpoints = await slowEndpoints("acc_slow");
  await world.endpoint(good.url, { accountId: "acc_slow", events: ["payment.failed"] });
  for (let n = 0; n < 40; n += 1) await world.event(`bkg_new_${n}`, "payment.failed", "acc_slow");
  await good.untilCount(40);
  await nothingEnded(endpoints);
});
