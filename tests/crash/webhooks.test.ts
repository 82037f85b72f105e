import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { distinctIds, isSigned, Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { type Endpoint, World } from "../webhooks/kit/world.ts";

let world: World;
let receiver: Receiver;
let endpoint: Endpoint;

async function open(): Promise<void> {
  world = await World.open();
  receiver = await Receiver.start();
  endpoint = await world.endpoint(receiver.url);
}

async function close(): Promise<void> {
  await world.close();
  await receiver.stop();
}

/** The receiver has had each event of these bookings, in order; answers how often one of a booking's came again. */
async function expectAllDelivered(bookings: readonly string[]): Promise<readonly number[]> {
  const repeated: number[] = [];
  for (const bookingId of bookings) {
    const ids = (await world.eventsOf(bookingId)).map(({ id }) => id);
    await receiver.until(() => distinctIds(receiver.idsOfBooking(bookingId)).length >= ids.length);
    expect(distinctIds(receiver.idsOfBooking(bookingId))).toStrictEqual(ids);
    repeated.push(receiver.idsOfBooking(bookingId).length - ids.length);
  }
  for (const received of receiver.received) expect(isSigned(received, endpoint.secret)).toBe(true);
  return repeated;
}

describe("killed where it hurts, the service goes on where it was", () => {
  beforeAll(open);
  afterAll(close);

  test.each([
    ["webhook:owed", 0],
    ["webhook:followed", 0],
    ["webhook:sending", 0],
    ["webhook:answered", 1],
    ["webhook:recorded", 0],
  ])("at %s, repeating %d deliveries", async (point, repetitions) => {
    const bookingId = await world.book();
    await world.service.stop();
    await world.start({ simulated: { powerCutAt: point } });
    const ended = world.service.ended;
    await world.change(bookingId, "A");
    for (const reference of ["B", "C", "D"]) await world.change(bookingId, reference).catch(() => undefined);
    expect((await ended).signal).toBe("SIGKILL");
    await world.start();
    await world.change(bookingId, "E");
    // Due again after their retry pause, not after the dispatcher's next poll.
    await world.advance(1);
    expect(await expectAllDelivered([bookingId])).toStrictEqual([repetitions]);
    // Nothing more comes, by any way.
    const { length } = receiver.received;
    await world.advance(3_600);
    expect(receiver.received).toHaveLength(length);
    expect(await world.status(endpoint)).toMatchObject({ status: "active", owed: 0 });
  });
});

/** Clients that change their bookings as long as somebody answers. */
function changing(bookings: readonly string[]) {
  let isOver = false;
  const clients = bookings.map(async (bookingId) => {
    for (let n = 0; !isOver; n += 1) {
      try {
        await world.change(bookingId, `${performance.now()}-${n}`);
      } catch {
        return;
      }
    }
  });
  return () => {
    isOver = true;
    return Promise.all(clients);
  };
}

describe("ended", () => {
  beforeEach(open);
  afterEach(close);

  test("killed again and again in the middle of it all, it loses nothing and repeats what was under way at most", async () => {
    const bookings = await Promise.all(Array.from({ length: 6 }, () => world.book()));
    const kills = 2;
    for (let kill = 1; kill <= kills; kill += 1) {
      const from = receiver.received.length;
      const stop = changing(bookings);
      await receiver.until((received) => received.length > from + 20 * kill);
      await world.service.kill();
      await stop();
      await world.start();
    }
    const repeated = await expectAllDelivered(bookings);
    for (const count of repeated) expect(count).toBeLessThanOrEqual(kills);
  });

  test("stopped gracefully under load, it repeats nothing", async () => {
    const bookings = await Promise.all(Array.from({ length: 6 }, () => world.book()));
    for (let round = 0; round < 2; round += 1) {
      const from = receiver.received.length;
      const stop = changing(bookings);
      await receiver.until((received) => received.length > from + 30);
      const { code, stderr } = await world.service.stop();
      expect([code, stderr]).toStrictEqual([0, ""]);
      await stop();
      await world.start();
    }
    expect(await expectAllDelivered(bookings)).toStrictEqual(bookings.map(() => 0));
  });

  test("stopped while receivers do not respond, it does not wait for them, and repeats those deliveries", async () => {
    receiver.respond = () => undefined;
    const bookings = await Promise.all(Array.from({ length: 10 }, () => world.book()));
    for (const bookingId of bookings) await world.change(bookingId, "A");
    await receiver.untilCount(10);
    const from = performance.now();
    const { code } = await world.service.stop();
    expect(code).toBe(0);
    expect(performance.now() - from).toBeLessThan(10_000);
    receiver.respond = respondWith(200);
    await world.start();
    expect(await expectAllDelivered(bookings)).toStrictEqual(bookings.map(() => 1));
  });

  test("switched off for two weeks, it delivers what was pending", async () => {
    const bookingId = await world.paidBooking(receiver);
    receiver.respond = respondWith(503);
    await world.change(bookingId, "A");
    await world.change(bookingId, "B");
    await receiver.until(() => receiver.idsOfBooking(bookingId).length > 0);
    await world.service.stop();
    receiver.respond = respondWith(200);
    await world.start({ simulated: { clockAheadSeconds: 14 * 86_400 } });
    const ids = await world.changesOf(bookingId);
    await receiver.until(() => distinctIds(receiver.idsOfBooking(bookingId)).length >= ids.length);
    expect(distinctIds(receiver.idsOfBooking(bookingId))).toStrictEqual(ids);
    await world.advance(1);
    expect(await world.status(endpoint)).toMatchObject({ status: "active", owed: 0 });
  });
});
