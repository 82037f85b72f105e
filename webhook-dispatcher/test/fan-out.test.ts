import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { InMemoryJobQueue } from "@travel-booking/engines/job-queue/memory";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { type EventFeed, feedOf } from "@travel-booking/read-models";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { DeliveryStore, type FanOutCheckpoints, FOLLOWED_LOG_SPACES } from "@travel-booking/webhooks/deliveries";
import { FanOut } from "../src/fan-out/fan-out.ts";
import { FixtureReadModels } from "./kit/read-models.ts";
import { ACCOUNT, T0 } from "./kit/world.ts";

const ENDPOINT = "whe_1";
const FEED = feedOf("booking");

let state: InMemoryStateStore;
let stored: DeliveryStore;
let log: FixtureReadModels;
let other: FixtureReadModels;
let queue: InMemoryJobQueue;

beforeEach(async () => {
  state = new InMemoryStateStore();
  const words = new SealedWords({ state, secretKey: "secret", shared: false });
  stored = new DeliveryStore(state);
  queue = new InMemoryJobQueue();
  [log, other] = [await FixtureReadModels.open(words), await FixtureReadModels.open(words)];
});
afterEach(async () => {
  await queue.close();
  await log.close();
  await other.close();
});

const fanOut = (of = stored) =>
  new FanOut({
    get models() {
      return log.opened;
    },
    progress: { positionOf: () => log.position, waitUntil: async () => true },
    queue,
    stored: of,
    reachedFaultPoint: () => undefined,
  });

/** The endpoint, and one event of each of these bookings. */
async function write(to: FixtureReadModels, ...bookings: readonly string[]): Promise<void> {
  await to.endpoint({
    accountId: ACCOUNT,
    endpointId: ENDPOINT,
    url: "https://x.example",
    events: ["booking.changed"],
  });
  for (const bookingId of bookings) await to.event({ accountId: ACCOUNT, bookingId, type: "booking.changed", at: T0 });
}

const owed = async () =>
  (await Array.fromAsync(stored.lanes.ofEndpoint(ENDPOINT))).map(({ key }) => key.split("/").at(-1));

test("a running fan-out goes on with another log, whose positions are lower", async () => {
  await write(log, "bkg_1", "bkg_2", "bkg_3");
  await write(other, "bkg_a");
  const running = fanOut();
  await running.catchUp();
  expect(await owed()).toStrictEqual(["bkg_1", "bkg_2", "bkg_3"]);
  for (const space of FOLLOWED_LOG_SPACES)
    for (const { key } of await state.list(space, { limit: 10 })) await state.remove(space, key);
  [log, other] = [other, log];
  await running.catchUp();
  expect(await owed()).toStrictEqual(["bkg_a"]);
});

test("a leader that stood still while another went on does not set the checkpoint back", async () => {
  await write(log, "bkg_1");
  const { checkpoints } = stored;
  const late = {
    load: (feed: EventFeed) => checkpoints.load(feed),
    async save(feed: EventFeed, from: string, sort: string) {
      await write(log, "bkg_2");
      await fanOut().catchUp();
      gone.push(await checkpoints.load(FEED));
      await checkpoints.save(feed, from, sort);
      gone.push(await checkpoints.load(FEED));
    },
  } as FanOutCheckpoints;
  const gone: string[] = [];
  await fanOut(Object.assign(Object.create(stored), { checkpoints: late })).catchUp();
  expect(gone[1]).toBe(gone[0]);
});
