import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { bookingOf, distinctIds, Receiver, type Respond, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { World } from "./kit/world.ts";

const BOOKINGS = 200;
const EVENTS_EACH = 2;
const DAY = 86_400_000;

/** Different at every call, the same in every run. */
function dice(): () => number {
  let seed = 11;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

const roll = dice();
/** Requests without a response. */
const unanswered = new Set<ServerResponse>();
const BAD: Readonly<Record<string, Respond>> = {
  "fails three times in ten": (_, response) => void response.writeHead(roll() < 0.3 ? 500 : 204).end(),
  "is down": (_, response) => void response.destroy(),
  "is slow": async (_, response) => {
    await pause(20);
    response.writeHead(204).end();
  },
  "never answers": (_, response) => void unanswered.add(response),
  "closes before the end of its answer": (_, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("x", () => response.destroy());
  },
};

let world: World;
let good: readonly Receiver[];
let bad: ReadonlyMap<string, Receiver>;

beforeEach(async () => {
  // A good receiver is never late, however busy the machine is.
  world = await World.open({ attemptTimeoutMs: 240_000 });
  good = await Promise.all([Receiver.start(), Receiver.start()]);
  const started = Object.entries(BAD).map(async ([name, respond]) => [name, await Receiver.start(respond)] as const);
  bad = new Map(await Promise.all(started));
  world.dispatcher.start();
});
afterEach(async () => {
  await world.close();
  await Promise.all([...good, ...bad.values()].map((receiver) => receiver.stop()));
});

/** The events a receiver got, without repetitions, by booking. */
function hadBy(receiver: Receiver): ReadonlyMap<string, readonly string[]> {
  const byBooking = Map.groupBy(receiver.received, ({ event }) => bookingOf(event));
  return new Map([...byBooking].sort().map(([id, all]) => [id, distinctIds(all.map(({ event }) => event.id))]));
}

test("with two hundred bookings in flight every receiver has every event in the end, each booking's in order", async () => {
  for (const { url } of [...bad.values(), ...good]) await world.endpoint(url);
  const sent = new Map<string, string[]>();
  for (let n = 0; n < BOOKINGS * EVENTS_EACH; n += 1) {
    const bookingId = `bkg_${n % BOOKINGS}`;
    sent.set(bookingId, [...(sent.get(bookingId) ?? []), await world.event(bookingId)]);
  }
  const expected = new Map([...sent].sort());

  // The good receivers get everything once, whatever the others do.
  await Promise.all(good.map((receiver) => receiver.untilCount(BOOKINGS * EVENTS_EACH)));
  for (const receiver of good) expect(hadBy(receiver)).toStrictEqual(expected);
  expect(bad.get("never answers")?.received.length).toBeLessThan(BOOKINGS);

  // Attempts in flight to it fail; later ones get a response.
  const silent = bad.get("never answers");
  if (silent !== undefined) silent.respond = respondWith(204);
  for (const response of unanswered) response.destroy();
  await world.advance(2 * DAY);
  expect(hadBy(bad.get("is down") as Receiver).size).toBe(BOOKINGS);
  for (const receiver of bad.values()) receiver.respond = respondWith(204);
  await world.advance(DAY);

  for (const receiver of bad.values()) expect(hadBy(receiver)).toStrictEqual(expected);
  for (const receiver of good) expect(receiver.received).toHaveLength(BOOKINGS * EVENTS_EACH);
});
