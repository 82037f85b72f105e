import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { operatorJson } from "../support/operator-cli.ts";
import { appendPoisonEventsTo } from "../support/poison-event.ts";
import type { ProjectionStatus } from "../support/projection-status.ts";
import { type Endpoint, World } from "./kit/world.ts";

const POISONS = {
  account: { stream: "account-acc_poison", type: "AccountOpened" },
  booking: { stream: "booking-bkg_poison", type: "BookingCreated" },
  destination: { stream: "destination-poison", type: "DestinationDescribed" },
  flight: { stream: "flight-flt_poison", type: "FlightScheduled" },
  loyalty: { stream: "loyalty-acc_poison", type: "PointsEarned" },
  passenger: { stream: "passenger-psg_poison", type: "PassengerCreated" },
  webhooks: { stream: "webhookEndpoints-acc_poison", type: "WebhookEndpointRegistered" },
};

let world: World;
let receiver: Receiver;
let endpoint: Endpoint;
let bookingId: string;

beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

beforeEach(async () => {
  receiver = await Receiver.start();
  endpoint = await world.endpoint(receiver.url);
  bookingId = await world.paidBooking(receiver);
  await world.untilNothingIsPending(endpoint);
});
afterEach(async () => {
  for (let names = await stopped(); names.length > 0; names = await stopped()) {
    for (const name of names) await skip(name);
  }
  await world.api.call("DELETE", `/v1/webhook-endpoints/${endpoint.id}`);
  await receiver.stop();
});

const cli = <Value>(...line: readonly string[]) =>
  operatorJson<Value>({ DATA_DIR: world.service.dataDir }, "projection", ...line);
const skip = (name: string) => cli<ProjectionStatus>("skip", name);

async function stopped(): Promise<readonly string[]> {
  const all = await cli<readonly ProjectionStatus[]>("list");
  return all.filter(({ state }) => state === "stopped").map(({ name }) => name);
}

async function startPoisoned(...poisons: readonly (keyof typeof POISONS)[]): Promise<readonly string[]> {
  await world.service.stop();
  await appendPoisonEventsTo(
    world.service.dataDir,
    poisons.map((name) => POISONS[name]),
  );
  await world.start();
  return (await stopped()).toSorted();
}

const listed = async () => (await world.eventsOf(bookingId)).map(({ id }) => id);

/** The events behind this one, waited for if there are none yet. */
async function followed(after: string | undefined, wait = 30): Promise<readonly string[]> {
  const { body } = await world.api.get<{ data: readonly { id: string }[] }>(`/v1/events?after=${after}&wait=${wait}`);
  return body.data.map(({ id }) => id);
}

test("events are listed, followed and delivered while every read model that shows other things stands still", async () => {
  const before = await listed();
  expect(await startPoisoned("account", "destination", "flight", "loyalty", "passenger")).toStrictEqual([
    "accounts",
    "destinations",
    "flights",
    "loyalty",
    "obligations",
    "passengers",
  ]);
  const following = followed(before.at(-1));
  await world.change(bookingId, "A");
  const [changed] = await following;
  await world.change(bookingId, "B");
  expect((await listed()).slice(0, -1)).toStrictEqual([...before, changed]);
  await receiver.untilCount(2);
  expect(receiver.idsOfBooking(bookingId)).toStrictEqual((await listed()).slice(before.length));
});

test("events wait for the read model of bookings; then they come once each and in order", async () => {
  const before = await listed();
  expect(await startPoisoned("booking")).toContain("bookings");
  await world.change(bookingId, "A");
  await world.change(bookingId, "B");
  // After a restart the service does not know who has written, so a reader does not wait for its own changes.
  await world.service.stop();
  await world.start();
  expect(await listed()).toStrictEqual(before);
  const following = followed(before.at(-1));
  await skip("bookings");
  const changes = await following;
  expect([...before, ...changes]).toStrictEqual((await listed()).slice(0, before.length + changes.length));
  await receiver.untilCount(2);
  await world.untilNothingIsPending(endpoint);
  const now = await listed();
  expect(now).toHaveLength(before.length + 2);
  expect(receiver.idsOfBooking(bookingId)).toStrictEqual(now.slice(before.length));
});

test("events are listed while the read model of endpoints stands still; endpoints made meanwhile miss none", async () => {
  const before = await listed();
  expect(await startPoisoned("webhooks")).toStrictEqual(["webhooks"]);
  const late = await Receiver.start();
  await world.endpoint(late.url);
  await world.change(bookingId, "A");
  await world.change(bookingId, "B");
  const now = await listed();
  expect(now).toHaveLength(before.length + 2);
  expect(receiver.received).toHaveLength(0);
  await skip("webhooks");
  for (const one of [receiver, late]) {
    await one.untilCount(2);
    expect(one.idsOfBooking(bookingId)).toStrictEqual(now.slice(before.length));
  }
  await late.stop();
});
