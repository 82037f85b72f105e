import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { distinctIds, Receiver, type Respond, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { type Endpoint, World } from "./kit/world.ts";

const DAY = 86_400_000;
/** More lanes than an endpoint has slots: most have not been worked on when the first attempts end. */
const BOOKINGS = 150;

let world: World;
let receiver: Receiver;

beforeEach(async () => {
  world = await World.open();
  receiver = await Receiver.start(respondWith(500));
  world.dispatcher.start();
});
afterEach(async () => {
  await world.close();
  await receiver.stop();
});

/** An endpoint that has failed for so long. */
async function missing(days: number): Promise<{ endpoint: Endpoint; sent: readonly string[] }> {
  const endpoint = await world.endpoint(receiver.url);
  const sent: string[] = [];
  for (let n = 0; n < BOOKINGS; n += 1) sent.push(await world.event(`bkg_${n}`));
  await world.advance(days * DAY);
  receiver.received.length = 0;
  return { endpoint, sent };
}

/** Fails every so manieth delivery. */
const refusing = (every: number): Respond => {
  return (_received, response, count) => void response.writeHead(count % every === 1 ? 500 : 204).end();
};

const came = () => [...distinctIds(receiver.ids)].sort();

test.each([
  ["one attempt", Number.POSITIVE_INFINITY],
  ["every third attempt", 3],
])("after its owner resumes it an endpoint gets everything, though %s fails", async (_, every) => {
  const { endpoint, sent } = await missing(6);
  expect(await world.status(endpoint)).toMatchObject({ status: "paused", owed: BOOKINGS });
  receiver.respond = refusing(every);
  await world.log.resume(endpoint.id, world.clock.now());
  await world.advance(DAY);
  expect(came()).toStrictEqual([...sent].sort());
  expect(await world.status(endpoint)).toMatchObject({ status: "active", owed: 0 });
});

test("after a probe ends a pause", async () => {
  const { sent } = await missing(6);
  receiver.respond = (_received, response, count) => void response.writeHead(count % 3 === 2 ? 500 : 204).end();
  await world.advance(DAY);
  expect(came()).toStrictEqual([...sent].sort());
});

test("after a failure without a pause that exhausted deliveries", async () => {
  const { endpoint, sent } = await missing(4);
  expect(await world.status(endpoint)).toMatchObject({ status: "failing", owed: 0 });
  receiver.respond = (_received, response, count) => void response.writeHead(count === 2 ? 500 : 204).end();
  const news = await world.event("bkg_new");
  await world.advance(DAY);
  expect(came()).toStrictEqual([...sent, news].sort());
});
