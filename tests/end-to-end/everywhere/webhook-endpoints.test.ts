import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { NewWebhookEndpointBody, WebhookEndpointBody, WebhookStatusBody } from "@travel-booking/api-contract";
import { USUAL_EVENT_TYPES } from "@travel-booking/domain";
import { Receiver, respondWith } from "@travel-booking/webhooks/receiver/testing";
import { until } from "../../support/until.ts";
import { type Client, expectStatus, newKey } from "../kit/client.ts";
import { feed } from "../kit/feed.ts";
import { expectProblems, expectRefused } from "../kit/problems.ts";
import type { TestResponse } from "../kit/test-response.ts";
import { openWorld, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 300 }], env: { WEBHOOK_ALLOW_PRIVATE_TARGETS: "true" } });
  ({ alice, bob } = world);
});
afterAll(() => world.discard());

const PATH = "/v1/webhook-endpoints";
const BODY = { url: "https://8.8.8.8/events", events: ["booking.changed", "payment.failed"] };

function create(
  client: Client,
  body: object = BODY,
  headers?: Readonly<Record<string, string>>,
): Promise<TestResponse<NewWebhookEndpointBody>> {
  return client.post<NewWebhookEndpointBody>(PATH, body, headers);
}

async function list(client: Client): Promise<readonly WebhookEndpointBody[]> {
  return expectStatus(200, await client.get<{ data: readonly WebhookEndpointBody[] }>(PATH)).data;
}

describe("a webhook endpoint", () => {
  test("is answered with its secret once, and listed without it, newest first", async () => {
    const first = expectStatus(201, await create(alice));
    const second = expectStatus(201, await create(alice, { url: "https://1.1.1.1/", events: ["booking.cancelled"] }));
    expect(first).toStrictEqual({ id: first.id, ...BODY, secret: first.secret });
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(second.secret).not.toBe(first.secret);
    expect(await list(alice)).toStrictEqual([
      { id: second.id, url: "https://1.1.1.1/", events: ["booking.cancelled"] },
      { id: first.id, ...BODY },
    ]);
    expect(await list(bob)).toStrictEqual([]);
    expect(expectStatus(200, await alice.get(`${PATH}/${first.id}`))).toStrictEqual({ id: first.id, ...BODY });
  });

  test("is one under one Idempotency-Key, with the same secret, also after it is deleted", async () => {
    const key = { "idempotency-key": newKey() };
    const twins = await Promise.all([1, 2, 3].map(() => create(alice, BODY, key)));
    const [first] = twins.map((answer) => expectStatus(201, answer));
    for (const { text } of twins) expect(text).toBe(twins[0]?.text);
    const again = await create(alice, BODY, key);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toStrictEqual([
      201,
      twins[0]?.text,
      "true",
    ]);
    expectRefused(await create(alice, { ...BODY, events: ["booking.changed"] }, key), 422, "Idempotency-Key");
    expect((await alice.send("DELETE", `${PATH}/${first?.id}`)).status).toBe(204);
    expect((await create(alice, BODY, key)).text).toBe(twins[0]?.text);
    expect((await list(alice)).map(({ id }) => id)).not.toContain(first?.id);
  });

  test("has a secret that is written down nowhere as it is", async () => {
    const key = { "idempotency-key": newKey() };
    const { secret, id } = expectStatus(201, await create(alice, BODY, key));
    const text = await world.service.dumpStorage();
    expect(text).toContain(id);
    expect(text).not.toContain("whsec_");
    expect(text).not.toContain(secret.slice("whsec_".length));
    expect(world.service.stderr).not.toContain("whsec_");
  });

  test("is changed, in what is sent alone; what its headers say is shown and written down nowhere", async () => {
    const headers = { "X-Key": "very-secret-value" };
    const { id } = expectStatus(201, await create(alice, { ...BODY, headers, maxPerSecond: 7 }));
    const statusOf = async () => expectStatus(200, await alice.get<WebhookStatusBody>(`${PATH}/${id}/status`));
    expect(await statusOf()).toMatchObject({ headerNames: ["X-Key"], maxPerSecond: 7 });
    const change = (body: object, client = alice) => client.patch<WebhookEndpointBody>(`${PATH}/${id}`, body);
    const url = "https://8.8.8.8/others";
    expect(expectStatus(200, await change({ url, maxPerSecond: null }))).toStrictEqual({ id, ...BODY, url });
    expect(await statusOf()).toMatchObject({ headerNames: ["X-Key"], maxPerSecond: null });
    expect(expectStatus(200, await change({}))).toStrictEqual({ id, ...BODY, url });
    const changed = { id, url: "https://1.1.1.1/", events: [...USUAL_EVENT_TYPES] };
    expect(expectStatus(200, await change({ url: changed.url, events: ["*"] }))).toStrictEqual(changed);
    expect(await statusOf()).toMatchObject({ headerNames: [] });
    expect(expectStatus(200, await alice.get(`${PATH}/${id}`))).toStrictEqual(changed);
    expect((await change({ maxPerSecond: 1 }, bob)).status).toBe(404);
    expectProblems(await change({ headers: { Host: "x" }, maxPerSecond: 0 }), [
      "headers.Host must not be set: it is the service's own, or about the connection",
      "maxPerSecond must be at least 1",
    ]);
    const [stored, { stderr }] = [await world.service.dumpStorage(), world.service];
    for (const text of [stored, stderr]) expect(text).not.toContain("very-secret-value");
  });

  test("is deleted once", async () => {
    const { id } = expectStatus(201, await create(alice));
    expect((await bob.send("DELETE", `${PATH}/${id}`)).status).toBe(404);
    expect((await alice.send("DELETE", `${PATH}/${id}`)).status).toBe(204);
    expect((await alice.send("DELETE", `${PATH}/${id}`)).status).toBe(404);
    expect((await list(alice)).map((endpoint) => endpoint.id)).not.toContain(id);
    for (const below of ["", "/status", "/deliveries"]) {
      expect((await alice.get(`${PATH}/${id}${below}`)).status).toBe(404);
    }
    expect((await alice.post(`${PATH}/${id}/resume`)).status).toBe(404);
  });

  test("has a status and a log of attempts", async () => {
    const { id } = expectStatus(201, await create(alice));
    const status = expectStatus(200, await alice.get<WebhookStatusBody>(`${PATH}/${id}/status`));
    const plain = { owed: 0, oldestOwedAt: null, headerNames: [], maxPerSecond: null };
    expect(status).toStrictEqual({ status: "active", reason: null, since: status.since, ...plain });
    expect(Math.abs((await world.now()) - Date.parse(status.since))).toBeLessThan(60_000);
    expect(expectStatus(200, await alice.post(`${PATH}/${id}/resume`))).toStrictEqual(status);
    expect(expectStatus(200, await alice.get(`${PATH}/${id}/deliveries`))).toStrictEqual({
      data: [],
      page: { nextCursor: null, hasMore: false },
    });
    for (const path of [`${PATH}/${id}/status`, `${PATH}/${id}/deliveries`]) {
      const [foreign, missing] = [await bob.get(path), await bob.get(path.replace(id, "whe_none"))];
      expect([foreign.status, foreign.text]).toStrictEqual([404, missing.text]);
    }
    expect((await bob.post(`${PATH}/${id}/resume`)).status).toBe(404);
    expectProblems(await alice.get(`${PATH}/${id}/deliveries?cursor=x&limit=0`), [
      "limit must be a whole number from 1 to 100",
    ]);
  });
});

const HEALTH_TYPES = ["endpoint.failing", "endpoint.recovered"];
test("an endpoint is told that another fails and has recovered, once each, as events list it", async () => {
  const [receiver, other] = [await Receiver.start(), await Receiver.start()];
  const listening = async (url: string, events: readonly string[]) =>
    expectStatus(201, await create(bob, { url, events })).id;
  const failing = await listening(receiver.url, ["booking.changed", ...HEALTH_TYPES]);
  await listening(other.url, HEALTH_TYPES);
  const statusOf = async () => expectStatus(200, await bob.get<WebhookStatusBody>(`${PATH}/${failing}/status`));
  receiver.respond = respondWith(500);
  const { id } = await bob.newBooking("F");
  expectStatus(200, await bob.patch(`/v1/bookings/${id}`, { reference: "changed" }));
  await other.untilCount(1);
  const { since } = await statusOf();
  receiver.respond = respondWith(204);
  expectStatus(200, await bob.post(`${PATH}/${failing}/resume`));
  await other.untilCount(2);
  await until(async () => (await statusOf()).owed === 0);
  const told = other.received.map(({ event }) => event);
  const object = { endpointId: failing, status: "active", reason: null, since: (await statusOf()).since };
  expect(told.map(({ type, data }) => [type, data.object])).toStrictEqual([
    ["endpoint.failing", { ...object, status: "failing", reason: "the endpoint answered 500", since }],
    ["endpoint.recovered", object],
  ]);
  expect((await feed(bob, { type: HEALTH_TYPES.join(), order: "asc" })).data).toStrictEqual(told);
  expect(new Set(receiver.received.map(({ event }) => event.type))).toStrictEqual(new Set(["booking.changed"]));
  await receiver.stop();
  await other.stop();
});
