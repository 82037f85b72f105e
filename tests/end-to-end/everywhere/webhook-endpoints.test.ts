import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { NewWebhookEndpointBody, WebhookEndpointBody, WebhookStatusBody } from "@travel-booking/api-contract";
import { PUBLIC_EVENT_TYPES, USUAL_EVENT_TYPES } from "@travel-booking/domain";
import { type Client, expectStatus, newKey } from "../kit/client.ts";
import { expectProblems, expectRefused } from "../kit/problems.ts";
import type { TestResponse } from "../kit/test-response.ts";
import { openWorld, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let bob: Client;
beforeAll(async () => {
  world = await openWorld();
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

  test("gets the usual types for a `*`, and others that it names beside it", async () => {
    const { id, events } = expectStatus(201, await create(alice, { ...BODY, events: ["hold.expired", "*"] }));
    expect(events).toStrictEqual(["hold.expired", ...USUAL_EVENT_TYPES]);
    expect((await list(alice)).find((endpoint) => endpoint.id === id)?.events).toStrictEqual(events);
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
    expectRefused(await change({ url: "https://127.0.0.1/" }), 400, "loopback");
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

describe("400", () => {
  const NO_URI =
    "url must be a URI: https://, a host in ASCII, and everything else that is not of RFC 3986 percent-encoded";
  const TYPES = [...PUBLIC_EVENT_TYPES, "*"].join(", ");
  test.each<[object, string[]]>([
    [{}, ["url is required", "events is required"]],
    [{ ...BODY, events: [] }, ["events must have at least 1 entry"]],
    [{ ...BODY, events: ["booking.booked"] }, [`events[0] must be one of ${TYPES}`]],
    [{ ...BODY, events: ["payment.failed", "payment.failed"] }, ["events[1] is named twice"]],
    [{ ...BODY, secret: "mine" }, ["secret is not a known field"]],
    [{ ...BODY, url: "" }, ["url must not be blank"]],
    [{ ...BODY, url: "events" }, ["url must be a URL"]],
    [{ ...BODY, url: "http://8.8.8.8/" }, ["url must be an https URL"]],
    [{ ...BODY, url: "javascript:alert(1)" }, ["url must be an https URL"]],
    [{ ...BODY, url: "https://localhost/" }, ["url must not lead to a loopback address"]],
    [{ ...BODY, url: "https://127.1/" }, ["url must not lead to a loopback address"]],
    [{ ...BODY, url: "https://0x7f000001/" }, ["url must not lead to a loopback address"]],
    [{ ...BODY, url: "https://169.254.169.254/latest/meta-data" }, ["url must not lead to a link-local address"]],
    [{ ...BODY, url: "https://192.168.0.1/" }, ["url must not lead to a private address"]],
    [{ ...BODY, url: "https://[fd00::1]/" }, ["url must not lead to a private address"]],
    [{ ...BODY, url: "https://8.8.8.8/\n" }, ["url must not contain control characters"]],
    [{ ...BODY, url: "https://8.8.8.8/a\tb" }, ["url must not contain control characters"]],
    [{ ...BODY, url: "https://8.8.8.8/\u007f" }, ["url must not contain control characters"]],
    [{ ...BODY, url: " https://8.8.8.8/" }, ["url must not begin or end with white space"]],
    [{ ...BODY, url: "https://8.8.8.8/\u00a0" }, ["url must not begin or end with white space"]],
    [{ ...BODY, url: "https://8.8.8.8:0/" }, ["url must use port 443, 80 or one above 1023"]],
    [{ ...BODY, url: "https://8.8.8.8:25/" }, ["url must use port 443, 80 or one above 1023"]],
    [{ ...BODY, url: "https://168.63.129.16/" }, ["url must not lead to a cloud platform's address"]],
    [{ ...BODY, url: "https://ex\u00e4mple.com/h" }, [NO_URI]],
    [{ ...BODY, url: "https://8.8.8.8/a b" }, [NO_URI]],
    [{ ...BODY, url: "https:\\\\8.8.8.8\\x" }, [NO_URI]],
    [{ ...BODY, url: "https://8.8.8.8/<x>" }, [NO_URI]],
    [{ ...BODY, url: "https://8.8.8.8/%zz" }, [NO_URI]],
    [{ ...BODY, url: "https://8.8.8.8/[x]" }, [NO_URI]],
    [{ ...BODY, url: "https:8.8.8.8" }, [NO_URI]],
    [{ ...BODY, url: "https:///8.8.8.8/" }, [NO_URI]],
    [{ ...BODY, events: "booking.changed" }, ["events must be an array"]],
    [{ ...BODY, events: "" }, ["events must be an array"]],
    [{ ...BODY, url: "https://u:p@8.8.8.8/" }, ["url must not contain a user name or password"]],
  ])("%j", async (body, problems) => {
    const before = await list(alice);
    expectProblems(await create(alice, body, { "idempotency-key": newKey() }), problems);
    expect(await list(alice)).toStrictEqual(before);
  });
});

describe("an operation without a body", () => {
  const WITHOUT: readonly (readonly [method: string, below: string])[] = [
    ["POST", "/resume"],
    ["DELETE", ""],
  ];

  test.each(WITHOUT)("%s …%s takes none, or an empty object", async (method, below) => {
    const { id } = expectStatus(201, await create(alice));
    const path = `${PATH}/${id}${below}`;
    const send = (body: string, headers = {}) => alice.send(method, path, { body, headers });
    expectProblems(await send("{"), ["body is not valid JSON: line 1, column 2"]);
    expectProblems(await send('{"force":true}'), ["force is not a known field"]);
    expectProblems(await send("[]"), ["body must be an object"]);
    expectProblems(await send("{}", { "content-type": "text/plain" }), ["Content-Type must be application/json"]);
    expect((await list(alice)).map((endpoint) => endpoint.id)).toContain(id);
    expect((await send("{}")).status).toBe(method === "DELETE" ? 204 : 200);
  });

  test("is the same request under an Idempotency-Key, with an empty object and with nothing", async () => {
    const { id } = expectStatus(201, await create(alice));
    const headers = { "idempotency-key": newKey() };
    expect((await alice.send("POST", `${PATH}/${id}/resume`, { headers })).status).toBe(200);
    const again = await alice.send("POST", `${PATH}/${id}/resume`, { body: "{}", headers });
    expect([again.status, again.headers.get("idempotent-replayed")]).toStrictEqual([200, "true"]);
  });
});

test("an account has at most a hundred, however many it asks for at once", async () => {
  const carol = await world.withScopes(["webhooks:read", "webhooks:write"]);
  const answers = await Promise.all(Array.from({ length: 110 }, () => create(carol)));
  expect(answers.filter(({ status }) => status === 201).length).toBe(100);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused) expectRefused(answer, 422, "at most 100");
  const listed = await list(carol);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(100);
  expect((await carol.send("DELETE", `${PATH}/${listed[7]?.id}`)).status).toBe(204);
  expect((await create(carol)).status).toBe(201);
});
