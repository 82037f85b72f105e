import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { attemptIdOf, DeliveryStore, ReplayRequests } from "@travel-booking/webhooks/deliveries";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { FanOut } from "../src/fan-out/fan-out.ts";
import { webhookOperatorRoutes } from "../src/operator-routes.ts";
import { ACCOUNT, type Endpoint, T0, World } from "./kit/world.ts";

const DAY = 86_400_000;

let world: World;
let receiver: Receiver;
let endpoint: Endpoint;
let requests: ReplayRequests;

beforeEach(async () => {
  world = await World.open();
  receiver = await Receiver.start();
  await world.event("bkg_1");
  endpoint = await world.endpoint(receiver.url, { events: ["booking.changed", "payment.succeeded"] });
  requests = new ReplayRequests(world.state);
  world.dispatcher.start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await world.close();
  await receiver.stop();
});

const replay = (since: number, { id: endpointId, accountId }: Endpoint = endpoint) =>
  world.dispatcher.requestReplay({ accountId, endpointId, since });

async function openReplays() {
  const keys: string[] = [];
  for await (const { key } of requests.open()) keys.push(key);
  return keys;
}

test("a replay sends everything since then again, in order, whatever its outcome was", async () => {
  const early = await world.event("bkg_1");
  await world.drained();
  world.clock.advance(DAY);
  const delivered = [await world.event("bkg_1"), await world.event("bkg_1")];
  await world.event("bkg_1", "booking.confirmed");
  const other = await world.event("bkg_2", "payment.succeeded");
  await world.drained();
  expect(receiver.ids).toHaveLength(4);
  receiver.received.length = 0;
  await replay(T0 + DAY);
  await world.drained();
  expect(receiver.ids).toHaveLength(3);
  expect(receiver.ids).not.toContain(early);
  expect(receiver.ids.filter((id) => id !== other)).toStrictEqual(delivered);
  expect(await openReplays()).toStrictEqual([]);
});

test("a replay sends what was exhausted", async () => {
  receiver.respond = ({ event }, response) => {
    response.writeHead(event.id === "evt_3" ? 400 : 200).end();
  };
  await world.event("bkg_1");
  const second = await world.event("bkg_1");
  await world.advance(8 * DAY);
  expect(receiver.ids).toContain(second);
  receiver.received.length = 0;
  receiver.respond = respondWith(200);
  await replay(T0);
  await world.drained();
  expect(receiver.ids).toStrictEqual(["evt_3", second]);
});

test("an operator has all sent again that is exhausted, in whatever order it was attempted", async () => {
  const early = await world.event("bkg_1");
  world.clock.advance(60 * 60_000);
  const late = await world.event("bkg_2");
  await world.drained();
  receiver.received.length = 0;
  const [attempt] = await world.attempts(endpoint);
  if (attempt === undefined) throw new Error("nothing was attempted");
  await world.log.attempts.removeAll(endpoint.id);
  for (const [minute, eventId] of [late, early].entries()) {
    const deliveredAt = world.clock.now() + (minute + 1) * 60_000;
    const id = attemptIdOf(deliveredAt);
    await world.log.attempts.add({ ...attempt, id, eventId, deliveredAt, status: "exhausted" });
  }
  const { dispatcher, log: deliveries, words, clock } = world;
  const waitUntilCaughtUp = async () => undefined;
  const routes = { dispatcher, deliveries, models: world.models.opened, words, clock, waitUntilCaughtUp };
  const route = webhookOperatorRoutes(routes).find(({ path }) => path.endsWith("/replay-exhausted"));
  const request = { params: { id: endpoint.id }, query: {}, operator: "ada", body: undefined, requestId: "r" };
  if (route === undefined || "lines" in route) throw new Error("there is no such route");
  const command = { commandId: "c", repeated: false };
  await route.answer({ ...request, command, closed: new AbortController().signal });
  await world.drained();
  expect(receiver.ids.toSorted()).toStrictEqual([early, late].toSorted());
});

test("nothing from before the endpoint was created is sent, and nothing to another", async () => {
  const another = await Receiver.start();
  await world.endpoint(another.url);
  await world.event("bkg_1");
  await world.drained();
  await replay(0);
  await world.drained();
  expect(receiver.ids).toStrictEqual(["evt_4", "evt_4"]);
  expect(another.ids).toStrictEqual(["evt_4"]);
  await another.stop();
});

test("a replay of many events continues after a crash, and new events come after it", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 450; n += 1) ids.push(await world.event(`bkg_${n % 3}`));
  await world.drained();
  receiver.received.length = 0;
  await replay(T0);
  ids.push(await world.event("bkg_0"));
  await world.restart();
  await world.drained();
  const own = (booking: number) => ids.filter((_, index) => index % 3 === booking);
  for (const booking of [0, 1, 2]) {
    const seen = receiver.ids.filter((id) => own(booking).includes(id));
    // The new one may have been delivered before the replay, and then again.
    expect(seen.filter((id, index) => seen.lastIndexOf(id) === index)).toStrictEqual(own(booking));
  }
  expect(await world.status(endpoint)).toMatchObject({ owed: 0 });
});

test("requests for an endpoint that has an open replay go into it, from the earliest moment on", async () => {
  const ids: string[] = [];
  for (let day = 0; day < 4; day += 1) {
    ids.push(await world.event("bkg_1"));
    world.clock.advance(DAY);
  }
  await world.drained();
  await world.dispatcher.stop();
  receiver.received.length = 0;
  for (const day of [3, 1, 2]) await replay(T0 + day * DAY);
  for (const eventId of [ids[3], ids[0], ids[3]]) {
    const { id: endpointId, accountId } = endpoint;
    await world.dispatcher.requestReplay({ accountId, endpointId, since: T0, only: [eventId ?? ""] });
  }
  expect(await openReplays()).toStrictEqual([`${endpoint.id}/all`, `${endpoint.id}/chosen`]);
  await world.restart();
  await world.drained();
  expect([...new Set(receiver.ids)].sort()).toStrictEqual(ids);
});

test("requests for what an open replay has yet to send, or has sent, leave it as it is", async () => {
  await world.dispatcher.stop();
  const { id: endpointId, accountId } = endpoint;
  const cursor = "5";
  for (const open of [{ since: T0 }, { since: T0, only: ["evt_1", "evt_2"] }])
    await requests.add({ endpointId, accountId, cursor, ...open });
  await replay(T0);
  await replay(T0 + DAY);
  await world.dispatcher.requestReplay({ accountId, endpointId, since: T0 - DAY, only: ["evt_2"] });
  for await (const { request } of requests.open()) expect([request.since, request.cursor]).toStrictEqual([T0, cursor]);
});

test("a request that comes while a piece is processed is not lost", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(await world.event("bkg_1"));
  await world.drained();
  receiver.received.length = 0;
  await replay(T0);
  for await (const open of requests.open()) {
    await replay(T0 - 1);
    await requests.save({ ...open, request: { ...open.request, cursor: "9" } });
    await requests.finish(open);
  }
  await world.drained();
  expect(receiver.ids).toStrictEqual(ids);
});

test("accounts take turns with their replays, piece by piece, and so do the endpoints of an account", async () => {
  await world.dispatcher.stop();
  const second = await world.endpoint(receiver.url);
  const other = await world.endpoint(receiver.url, { accountId: "acc_2" });
  for (let n = 0; n < 500; n += 1) await world.event("bkg_1");
  for (let n = 0; n < 300; n += 1) await world.event("bkg_2", "booking.changed", "acc_2");
  for (const each of [endpoint, second, other]) await replay(T0, each);
  const turns: string[] = [];
  const { replace, removeIfVersion } = world.state;
  jest.spyOn(world.state, "replace").mockImplementation((space, key, ...rest) => {
    if (space === "webhook-replays") turns.push(key);
    return replace.call(world.state, space, key, ...rest) as never;
  });
  jest.spyOn(world.state, "removeIfVersion").mockImplementation((space, key, version) => {
    if (space === "webhook-replays") turns.push(`${key} ends`);
    return removeIfVersion.call(world.state, space, key, version);
  });
  await world.restart();
  await world.drained();
  const [a, b, c] = [endpoint, second, other].map(({ id }) => `${id}/all`);
  expect(turns).toStrictEqual([a, c, b, `${c} ends`, a, b, `${a} ends`, `${b} ends`]);
});

test("of an account, at most 200 events a second are replayed, however many endpoints and requests there are", async () => {
  await world.dispatcher.stop();
  const second = await world.endpoint(receiver.url);
  const other = await world.endpoint(receiver.url, { accountId: "acc_2" });
  for (let n = 0; n < 500; n += 1) await world.event("bkg_1");
  for (let n = 0; n < 250; n += 1) await world.event("bkg_2", "booking.changed", "acc_2");
  let now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => now);
  const stored = new DeliveryStore(world.state);
  const progress = { positionOf: () => world.models.position, waitUntil: async () => true };
  const models = world.models.opened;
  const fanOut = new FanOut({ models, progress, queue: world.queue, stored, reachedFaultPoint: () => undefined });
  await fanOut.catchUp();
  const owed = () => Promise.all([endpoint, second, other].map(async (each) => (await world.status(each)).owed));
  for (const each of [endpoint, second, other]) await stored.lanes.removeAll(each.id);
  const seen: number[][] = [];
  for (now of [0, 0, 999, 1_000, 2_000, 2_999, 3_000, 4_000]) {
    for (const each of now < 1_000 ? [endpoint, second, other] : []) await replay(T0, each);
    await fanOut.catchUp();
    seen.push(await owed());
  }
  // The requests that were repeated meanwhile began nothing anew.
  expect(seen).toStrictEqual([
    [200, 0, 200],
    [200, 0, 200],
    [200, 0, 200],
    [200, 200, 250],
    [400, 200, 250],
    [400, 200, 250],
    [400, 400, 250],
    [500, 400, 250],
  ]);
  await fanOut.catchUp({ withoutRest: true });
  expect(await owed()).toStrictEqual([500, 500, 250]);
});

test("of a sandbox, replays never rest: who moves its clock waits for them", async () => {
  for (let n = 0; n < 450; n += 1) await world.event(`bkg_${n % 10}`);
  await world.drained();
  await world.dispatcher.stop();
  receiver.received.length = 0;
  await replay(T0);
  jest.spyOn(performance, "now").mockReturnValue(0);
  world.dispatcher = world.newDispatcher({ sandboxClock: true });
  world.dispatcher.start();
  await receiver.untilCount(450);
  expect(await openReplays()).toStrictEqual([]);
});

test("an account rests for events, too, that are read in vain", async () => {
  await world.dispatcher.stop();
  for (let n = 0; n < 500; n += 1) await world.event("bkg_1");
  let now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => now);
  const stored = new DeliveryStore(world.state);
  const progress = { positionOf: () => world.models.position, waitUntil: async () => true };
  const models = world.models.opened;
  const fanOut = new FanOut({ models, progress, queue: world.queue, stored, reachedFaultPoint: () => undefined });
  const { id: endpointId, accountId } = endpoint;
  await world.dispatcher.requestReplay({ accountId, endpointId, since: T0, only: ["evt_none"] });
  const places = new Set<string | null>();
  for (now of [0, 0, 99, 100, 199, 200]) {
    await fanOut.catchUp();
    for await (const { request } of requests.open()) places.add(request.cursor);
    if (now === 99) expect(places.size).toBe(1);
    if (now === 199) expect(places.size).toBe(2);
  }
  expect(await openReplays()).toStrictEqual([]);
});

test("a replay finds its beginning without reading what is before it", async () => {
  for (let n = 0; n < 300; n += 1) {
    await world.event("bkg_1");
    world.clock.advance(60_000);
  }
  await world.drained();
  let read = 0;
  const { opened } = world.models;
  const page = opened.page.bind(opened);
  jest.spyOn(opened, "page").mockImplementation(async (model, request) => {
    const items = await page(model, request);
    read += items.length;
    return items;
  });
  receiver.received.length = 0;
  await replay(T0 + 290 * 60_000);
  const searched = read;
  await world.drained();
  expect(receiver.ids).toHaveLength(10);
  expect(searched).toBeLessThan(16);
  expect(read).toBeLessThan(50);
});

test("of a paused endpoint: it is sent when the endpoint is resumed", async () => {
  await world.event("bkg_1");
  await world.drained();
  receiver.respond = respondWith(410);
  await world.event("bkg_2");
  await world.drained();
  receiver.received.length = 0;
  await replay(T0);
  await world.drained();
  expect(receiver.received).toHaveLength(0);
  expect(await world.status(endpoint)).toMatchObject({ status: "paused", owed: 2 });
  receiver.respond = respondWith(200);
  await world.log.resume(endpoint.id, world.clock.now());
  await receiver.untilCount(2);
  expect(new Set(receiver.ids)).toStrictEqual(new Set(["evt_3", "evt_4"]));
});

test("of a deleted endpoint: it is dropped", async () => {
  await world.event("bkg_1");
  await world.drained();
  receiver.received.length = 0;
  await world.deleteEndpoint(endpoint);
  await replay(T0);
  await world.drained();
  expect(receiver.received).toHaveLength(0);
  expect(await openReplays()).toStrictEqual([]);
});

test("a replay of some events sends them alone; one that waits for its retry is due at once", async () => {
  receiver.respond = respondWith(500);
  const ids = [await world.event("bkg_1"), await world.event("bkg_1"), await world.event("bkg_2")];
  await world.drained();
  expect(receiver.ids).toStrictEqual([ids[0], ids[2]]);
  receiver.respond = respondWith(200);
  receiver.received.length = 0;
  await world.dispatcher.requestReplay({
    accountId: endpoint.accountId,
    endpointId: endpoint.id,
    since: T0,
    only: [ids[0] ?? ""],
  });
  await world.drained();
  // What its booking is owed behind it follows; the other booking's waits for its own time.
  expect(receiver.ids).toStrictEqual([ids[0], ids[1]]);
  receiver.received.length = 0;
  await world.dispatcher.requestReplay({
    accountId: endpoint.accountId,
    endpointId: endpoint.id,
    since: T0,
    only: [ids[1] ?? ""],
  });
  await world.drained();
  expect(receiver.ids).toStrictEqual([ids[1]]);
  expect(await openReplays()).toStrictEqual([]);
});

test("an attempt is found by its id, with the beginning of an answer that is no success", async () => {
  receiver.respond = (_, response) => {
    response.writeHead(500).end(`down: ${"x".repeat(2_000)}`);
  };
  await world.sealedEvent("bkg_1");
  await world.drained();
  const [attempt] = await world.attempts(endpoint);
  // It may repeat what it was sent.
  expect(attempt?.excerpt).toMatch(/^\x7f/);
  expect(await world.words.openText(attempt?.excerpt ?? "")).toBe(`down: ${"x".repeat(494)}`);
  expect(await world.log.attempts.find(endpoint.id, attempt?.id ?? "")).toStrictEqual(attempt);
  for (const id of [attemptIdOf(T0), "dlv_", "dlv_zzz", "evt_1"]) {
    expect(await world.log.attempts.find(endpoint.id, id)).toBeUndefined();
  }
  receiver.respond = respondWith(200);
  await world.advance(DAY);
  expect((await world.attempts(endpoint)).at(-1)).not.toHaveProperty("excerpt");
});

test("what a receiver repeats of its headers and of the secret is not kept", async () => {
  const headers = { Authorization: "Bearer token", "X-Short": "abc", "X-Part": "Bearer" };
  await world.secrets.put("own", JSON.stringify(headers));
  await world.change(endpoint, { headers: { headersId: "own", names: Object.keys(headers) } });
  receiver.respond = (_, response) => void response.writeHead(500).end(`abc Bearer token ${endpoint.secret}`);
  await world.sealedEvent("bkg_1");
  await world.drained();
  const [attempt] = await world.attempts(endpoint);
  expect(await world.words.openText(attempt?.excerpt ?? "")).toBe("abc [redacted] [redacted]");
  receiver.respond = (_, response) => void response.writeHead(500).end(`${"x".repeat(490)}Bearer token`);
  await world.advance(10_000);
  const later = (await world.attempts(endpoint)).at(-1);
  expect(await world.words.openText(later?.excerpt ?? "")).toBe(`${"x".repeat(490)}[redacted]`);
});

test("what a receiver says is not kept where its booking has no key", async () => {
  receiver.respond = (_, response) => void response.writeHead(500).end("down");
  await world.event("bkg_1");
  await world.sealedEvent("bkg_2");
  await world.words.keys.erase(ACCOUNT);
  await world.drained();
  const attempts = await world.attempts(endpoint);
  expect(attempts.map(({ bookingId, responseStatus }) => [bookingId, responseStatus])).toStrictEqual([
    ["bkg_1", 500],
    ["bkg_2", 500],
  ]);
  expect(attempts.filter(({ excerpt }) => excerpt !== undefined)).toStrictEqual([]);
});
