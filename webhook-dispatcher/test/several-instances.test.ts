import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import type { Dispatcher, DispatcherOptions } from "../src/index.ts";
import { World } from "./kit/world.ts";

let world: World;
let receiver: Receiver;
let others: Dispatcher[];

beforeEach(async () => {
  receiver = await Receiver.start();
  others = [];
});
afterEach(async () => {
  for (const other of others) await other.stop();
  await world.close();
  await receiver.stop();
});

/** A lease for one instance at a time, in the order of requests. */
function oneAtATime(): NonNullable<DispatcherOptions["instance"]>["leases"] {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async runUnderLease(_name, work, { signal }) {
      const over = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      const before = last;
      const mine = Promise.race([before, over]).then(() => (signal.aborted ? undefined : work(signal)));
      last = Promise.all([before, mine]);
      await mine;
    },
  };
}

async function startThree(): Promise<void> {
  const leases = oneAtATime();
  world = await World.open();
  others = ["b", "c"].map((id) => world.newDispatcher({ instance: { leases, id } }));
  await world.dispatcher.stop();
  world.dispatcher = world.newDispatcher({ instance: { leases, id: "a" } });
  for (const dispatcher of [world.dispatcher, ...others]) dispatcher.start();
}

test("several dispatchers share the lanes: no delivery twice, each booking's events in order", async () => {
  await startThree();
  receiver.respond = async (_received, response, count) => {
    for (let turn = count % 5; turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve));
    response.writeHead(200).end();
  };
  const endpoint = await world.endpoint(receiver.url);
  const sent = new Map<string, string[]>();
  for (let round = 0; round < 12; round += 1) {
    for (let booking = 0; booking < 8; booking += 1) {
      const bookingId = `bkg_${booking}`;
      sent.set(bookingId, [...(sent.get(bookingId) ?? []), await world.event(bookingId)]);
    }
  }
  await receiver.untilCount(96);
  await world.drained();
  expect(receiver.received).toHaveLength(96);
  for (const ids of sent.values()) expect(receiver.ids.filter((id) => ids.includes(id))).toStrictEqual(ids);
  expect(await world.attempts(endpoint)).toHaveLength(96);
});

test("another instance takes over the fan-out", async () => {
  await startThree();
  await world.endpoint(receiver.url);
  const first = await world.event("bkg_1");
  await world.drained();
  await world.dispatcher.stop();
  const second = await world.event("bkg_1");
  await receiver.untilCount(2);
  await others[0]?.stop();
  const third = await world.event("bkg_1");
  await receiver.untilCount(3);
  expect(receiver.ids).toStrictEqual([first, second, third]);
});
