import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { RETRY_DELAYS } from "@travel-booking/domain";
import { Receiver, type Respond, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { type Endpoint, T0, World } from "./kit/world.ts";

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];

let world: World;
let receiver: Receiver;
let endpoint: Endpoint;

beforeEach(async () => {
  world = await World.open();
  receiver = await Receiver.start();
  endpoint = await world.endpoint(receiver.url);
  world.dispatcher.start();
});
afterEach(async () => {
  await world.close();
  await receiver.stop();
});

/** The times of the attempts, from the start. */
const times = async () => (await world.attempts(endpoint)).map(({ deliveredAt }) => deliveredAt - T0);

test("an endpoint whose secret is lost fails: nothing unsigned is sent", async () => {
  await world.secrets.remove(endpoint.id);
  await world.event("bkg_1");
  await world.drained();
  expect((await world.attempts(endpoint)).map(({ attempt, status }) => [attempt, status])).toStrictEqual([
    [1, "failed"],
  ]);
  expect(receiver.ids).toStrictEqual([]);
});

describe("an endpoint that fails", () => {
  test("gets ten attempts, each at its time; then the delivery is exhausted and its lane goes on", async () => {
    receiver.respond = ({ event }, response) => {
      response.writeHead(event.id === "evt_2" ? 500 : 200).end();
    };
    const first = await world.event("bkg_1");
    const second = await world.event("bkg_1");
    await world.advance(4 * DAY);
    const due = RETRY_DELAYS.map((_, index) => RETRY_DELAYS.slice(0, index + 1).reduce((sum, pause) => sum + pause));
    const attempts = (await world.attempts(endpoint)).filter(({ eventId }) => eventId === first);
    expect(attempts.slice(0, 10).map(({ deliveredAt }) => deliveredAt - T0)).toStrictEqual(due);
    expect(
      attempts.slice(0, 10).map(({ attempt, status, nextAttemptAt }) => [attempt, status, nextAttemptAt]),
    ).toStrictEqual(
      due.map((_, index) => [
        index + 1,
        index === 9 ? "exhausted" : "failed",
        index === 9 ? null : T0 + (due[index + 1] ?? 0),
      ]),
    );
    expect(receiver.ids.slice(0, 11)).toStrictEqual([...Array(10).fill(first), second]);
    expect(world.recordedMetrics.outcomes.filter((outcome) => outcome === "exhausted").length).toBeGreaterThan(0);
  });

  test("down for two days gets everything in order", async () => {
    receiver.respond = respondWith(503);
    const sent: Record<string, string[]> = { bkg_1: [], bkg_2: [], bkg_3: [] };
    for (let round = 0; round < 5; round += 1) {
      for (const [bookingId, ids] of Object.entries(sent)) ids.push(await world.event(bookingId));
      await world.advance(8 * HOUR);
    }
    await world.advance(8 * HOUR);
    expect(await world.status(endpoint)).toMatchObject({ status: "failing", since: T0, owed: 15, oldestOwedAt: T0 });
    receiver.received.length = 0;
    receiver.respond = respondWith(200);
    await world.advance(DAY);
    for (const ids of Object.values(sent)) expect(receiver.ids.filter((id) => ids.includes(id))).toStrictEqual(ids);
    expect(receiver.ids).toHaveLength(15);
    expect(await world.status(endpoint)).toMatchObject({ status: "active", reason: null, owed: 0, oldestOwedAt: null });
  });

  test.each([
    ["7", 7 * SECOND],
    ["3600", 10 * SECOND],
    ["1", 5 * SECOND],
    ["0", 5 * SECOND],
    ["soon", 5 * SECOND],
    ["-7", 5 * SECOND],
    ["7.5", 5 * SECOND],
    ["", 5 * SECOND],
  ])("Retry-After: %j delays the next attempt by %d ms", async (retryAfter, pause) => {
    receiver.respond = respondWith(429, { "Retry-After": retryAfter });
    await world.event("bkg_1");
    await world.advance(30 * SECOND);
    expect(await times()).toStrictEqual([0, pause]);
  });

  test("Retry-After as a date is compared with real time, not the service's clock", async () => {
    const respond: Respond = (_received, response) => {
      response.writeHead(503, { "Retry-After": new Date(Date.now() + 3_600_000).toUTCString() }).end();
    };
    receiver.respond = respond;
    await world.event("bkg_1");
    await world.advance(30 * SECOND);
    expect(await times()).toStrictEqual([0, 10 * SECOND]);
  });
});

describe("410", () => {
  beforeEach(async () => {
    receiver.respond = respondWith(410);
    await world.event("bkg_1");
    await world.event("bkg_2");
    await world.event("bkg_1");
    await world.drained();
  });

  test("pauses the endpoint for good: nothing more is sent, and nothing is lost", async () => {
    const asked = receiver.received.length;
    expect(await world.status(endpoint)).toStrictEqual({
      status: "paused",
      reason: "the endpoint answered 410",
      since: T0,
      owed: 3,
      oldestOwedAt: T0,
    });
    await world.event("bkg_3");
    await world.advance(30 * DAY);
    expect(receiver.received).toHaveLength(asked);
    expect(await world.status(endpoint)).toMatchObject({ status: "paused", owed: 4 });
    expect(world.recordedMetrics.pauses).toStrictEqual(["gone"]);
  });

  test("until its owner resumes it", async () => {
    receiver.received.length = 0;
    receiver.respond = respondWith(200);
    await world.log.resume(endpoint.id, world.clock.now());
    await receiver.untilCount(3);
    await world.drained();
    expect(receiver.ids.filter((id) => id !== "evt_3")).toStrictEqual(["evt_2", "evt_4"]);
    expect(await world.status(endpoint)).toMatchObject({ status: "active", since: T0, owed: 0 });
  });
});

describe("five days of nothing but failure", () => {
  beforeEach(async () => {
    receiver.respond = respondWith(500);
    await world.event("bkg_1");
    await world.event("bkg_1");
    await world.event("bkg_2");
    await world.advance(5 * DAY);
  });

  test("pause the endpoint; everything exhausted is pending again, and only an hourly probe is sent", async () => {
    expect(await world.status(endpoint)).toStrictEqual({
      status: "paused",
      reason: "no delivery has succeeded for five days: the endpoint answered 500",
      since: T0 + 5 * DAY,
      owed: 3,
      oldestOwedAt: T0,
    });
    expect(world.recordedMetrics.pauses).toStrictEqual(["failing"]);
    const asked = receiver.received.length;
    await world.event("bkg_3");
    for (const hours of [1, 1, 1.5]) await world.advance(hours * HOUR);
    expect(receiver.ids.slice(asked)).toStrictEqual(["evt_2", "evt_2", "evt_2"]);
    const probes = (await world.attempts(endpoint)).slice(-3);
    expect(probes.map(({ attempt, status, deliveredAt }) => [attempt, status, deliveredAt - T0])).toStrictEqual(
      [1, 2, 3].map((hours) => [0, "failed", 5 * DAY + hours * HOUR]),
    );
    expect(await world.status(endpoint)).toMatchObject({ status: "paused", owed: 4 });
  });

  test("until a probe succeeds: then it gets everything it missed, in order", async () => {
    const asked = receiver.received.length;
    receiver.respond = respondWith(200);
    await world.event("bkg_1");
    await world.advance(HOUR);
    const ids = receiver.ids.slice(asked);
    expect(ids[0]).toBe("evt_2");
    expect(ids.filter((id) => id !== "evt_4")).toStrictEqual(["evt_2", "evt_3", "evt_5"]);
    expect(ids).toHaveLength(4);
    expect(await world.status(endpoint)).toMatchObject({ status: "active", since: T0 + 5 * DAY + HOUR, owed: 0 });
  });

  test("or its owner resumes it, at once", async () => {
    const asked = receiver.received.length;
    receiver.respond = respondWith(200);
    await world.log.resume(endpoint.id, world.clock.now());
    await receiver.untilCount(asked + 3);
    await world.drained();
    expect(new Set(receiver.ids.slice(asked))).toStrictEqual(new Set(["evt_2", "evt_3", "evt_4"]));
    expect(await world.status(endpoint)).toMatchObject({ status: "active", owed: 0 });
  });

  test("a probe answered 410 is the last", async () => {
    receiver.respond = respondWith(410);
    await world.advance(HOUR);
    const asked = receiver.received.length;
    await world.advance(10 * DAY);
    expect(receiver.received).toHaveLength(asked);
    expect(await world.status(endpoint)).toMatchObject({
      status: "paused",
      reason: "the endpoint answered 410",
      owed: 3,
    });
  });

  test("a restart does not change that", async () => {
    const asked = receiver.received.length;
    await world.restart();
    await world.drained();
    expect(receiver.received).toHaveLength(asked);
    receiver.respond = respondWith(200);
    await world.advance(HOUR);
    expect(receiver.received).toHaveLength(asked + 3);
  });
});
