import { describe, expect, test } from "@jest/globals";
import type {
  NewWebhookEndpointBody,
  RotatedWebhookSecretBody,
  WebhookEndpointBody,
  WebhookStatusBody,
} from "@travel-booking/api-contract";
import { MAX_WEBHOOK_ENDPOINTS, USUAL_EVENT_TYPES, type WebhookEndpointChanged } from "@travel-booking/domain";
import { EndpointStates } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { ProcessCrashed } from "../support/crashable.ts";
import { ADA, T0 } from "../support/sample.ts";
import { type CallOptions, type CallResponse, ExternalSystems, Service } from "../support/service.ts";

const EVE = "acc_eve";
const URL = "https://8.8.8.8/events";
const BODY = { url: URL, events: ["booking.changed", "payment.failed"] };

function create(
  service: Service,
  asked?: CallOptions,
  body: object = BODY,
): Promise<CallResponse<NewWebhookEndpointBody>> {
  return service.call("createWebhookEndpoint", {}, body, asked);
}

function remove(service: Service, id: string, asked?: CallOptions): Promise<CallResponse<undefined>> {
  return service.call("deleteWebhookEndpoint", { id }, {}, asked);
}

function secretOf({ systems }: Service, id: string): Promise<string | undefined> {
  return new WebhookSecrets(systems.state, "secret").get(id);
}

async function secretsIn({ systems }: Service): Promise<number> {
  return (await systems.state.list("webhook-secrets", { limit: 1_000 })).length;
}

describe("creating a webhook endpoint", () => {
  test("answers it with its secret, which is nowhere else to be read", async () => {
    const service = new Service(new ExternalSystems());
    const { status, body } = await create(service);
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^whe_[0-9a-f]{32}$/),
      ...BODY,
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(await secretOf(service, body.id)).toBe(body.secret);
    expect(await service.systems.newEvents()).toStrictEqual([
      {
        stream: `webhookEndpoints-${ADA}`,
        type: "WebhookEndpointRegistered",
        data: { endpointId: body.id, accountId: ADA, ...BODY },
      },
    ]);
    const stored = JSON.stringify(await service.systems.state.list("webhook-secrets", { limit: 10 }));
    expect(stored).not.toContain(body.secret);
  });

  test("again with the same key is the same one; without it another", async () => {
    const service = new Service(new ExternalSystems());
    const asked = { repeatedCommandId: "00000000-00ff-7000-8000-0000ff000000" };
    const first = await create(service, asked);
    expect(await create(service, asked)).toStrictEqual(first);
    const other = await create(service);
    expect(other.body.id).not.toBe(first.body.id);
    expect(other.body.secret).not.toBe(first.body.secret);
    expect((await service.systems.newEventTypes()).length).toBe(2);
  });

  test.each([
    ["http://8.8.8.8/events", "url must be an https URL"],
    ["ftp://8.8.8.8/events", "url must be an https URL"],
    ["example", "url must be a URL"],
    ["https://127.0.0.1/events", "url must not lead to a loopback address"],
    ["https://10.1.2.3/events", "url must not lead to a private address"],
    ["https://[::1]/events", "url must not lead to a loopback address"],
    ["https://a:b@8.8.8.8/events", "url must not contain a user name or password"],
  ])("refuses %s", async (url, problem) => {
    const service = new Service(new ExternalSystems());
    const { status, body } = await create(service, {}, { ...BODY, url });
    expect([status, (body as unknown as { message: unknown }).message]).toStrictEqual([400, [problem]]);
    expect([await service.systems.newEventTypes(), await secretsIn(service)]).toStrictEqual([[], 0]);
  });

  test("of a hundred and ten at once a hundred are made", async () => {
    const service = new Service(new ExternalSystems());
    const answers = await Promise.all(Array.from({ length: 110 }, () => create(service)));
    expect(answers.filter(({ status }) => status === 201).length).toBe(MAX_WEBHOOK_ENDPOINTS);
    expect(answers.filter(({ status }) => status === 422).length).toBe(10);
    expect(await secretsIn(service)).toBe(MAX_WEBHOOK_ENDPOINTS);
  });

  test.each(["endpoint:secret", "endpoint:registered"])(
    "a process that dies at %s leaves nothing behind",
    async (at) => {
      const dying = new Service(new ExternalSystems(), at);
      const commandId = "00000000-0001-7000-8000-000001000000";
      await expect(create(dying, { repeatedCommandId: commandId })).rejects.toThrow(ProcessCrashed);
      const [stored] = await dying.systems.state.list("webhook-secrets", { limit: 10 });
      const next = new Service(dying.systems);
      const { status, body } = await create(next, { repeatedCommandId: commandId });
      expect([status, body.id]).toStrictEqual([201, stored?.key]);
      expect(await secretOf(next, body.id)).toBe(body.secret);
      expect(await next.systems.newEventTypes()).toStrictEqual(["WebhookEndpointRegistered"]);
      expect(await secretsIn(next)).toBe(1);
    },
  );

  test("one that was deleted before its answer was known leaves no secret", async () => {
    const dying = new Service(new ExternalSystems(), "endpoint:registered");
    const commandId = "00000000-0001-7000-8000-000001000000";
    await expect(create(dying, { repeatedCommandId: commandId })).rejects.toThrow(ProcessCrashed);
    const next = new Service(dying.systems);
    const [stored] = await next.systems.state.list("webhook-secrets", { limit: 10 });
    expect((await remove(next, stored?.key ?? "")).status).toBe(204);
    expect((await create(next, { repeatedCommandId: commandId })).status).toBe(201);
    expect(await secretsIn(next)).toBe(0);
    expect(await next.systems.newEventTypes()).toStrictEqual(["WebhookEndpointRegistered", "WebhookEndpointDeleted"]);
  });
});

describe("changing a webhook endpoint", () => {
  const change = (service: Service, id: string, body: object, asked?: CallOptions) =>
    service.call<WebhookEndpointBody>("changeWebhookEndpoint", { id }, body, asked);
  const KEYED = { ...BODY, headers: { "X-Key": "first" }, maxPerSecond: 5 };
  const headersIn = async (service: Service) => {
    const records = await service.systems.state.list("webhook-secrets", { limit: 10 });
    const ids = records.map(({ key }) => key).filter((key) => key.includes("headers"));
    return Promise.all(ids.map(async (id) => JSON.parse((await secretOf(service, id)) ?? "")));
  };

  test("replaces what is sent, keeps the rest, and shows no value of a header", async () => {
    const service = new Service(new ExternalSystems());
    const made = await create(service, {}, KEYED);
    const { id, secret } = made.body;
    expect(made.body).toStrictEqual({ id, ...BODY, secret });
    expect(await headersIn(service)).toStrictEqual([{ "X-Key": "first" }]);
    const url = "https://8.8.8.8/other";
    expect(await change(service, id, { url, headers: { "X-Other": "second" } })).toStrictEqual({
      status: 200,
      body: { id, url, events: BODY.events },
    });
    expect(await headersIn(service)).toStrictEqual([{ "X-Other": "second" }]);
    expect(await change(service, id, { events: ["*"], maxPerSecond: null })).toStrictEqual({
      status: 200,
      body: { id, url, events: [...USUAL_EVENT_TYPES] },
    });
    expect(await headersIn(service)).toStrictEqual([{ "X-Other": "second" }]);
    expect(await secretOf(service, id)).toBe(secret);
    const stored = JSON.stringify([
      await service.systems.newEvents(),
      await service.systems.state.list("webhook-secrets", { limit: 10 }),
    ]);
    for (const value of ["first", "second"]) expect(stored).not.toContain(value);
    expect((await change(service, id, { url: "https://1.1.1.1/" })).status).toBe(200);
    expect(await headersIn(service)).toStrictEqual([]);
  });

  test("is refused for a target that may not be called, and for an endpoint that is not the account's", async () => {
    const service = new Service(new ExternalSystems());
    const { id } = (await create(service, {}, KEYED)).body;
    const headers = { "X-Key": "other" };
    expect((await change(service, id, { url: "https://127.0.0.1/", headers })).status).toBe(400);
    expect((await change(service, id, { headers }, { accountId: EVE })).status).toBe(404);
    expect((await change(service, "whe_none", { headers })).status).toBe(404);
    expect(await headersIn(service)).toStrictEqual([{ "X-Key": "first" }]);
  });

  test.each(["endpoint:new-headers", "endpoint:changed"])("goes on where a process died at %s", async (at) => {
    const systems = new ExternalSystems();
    const { id } = (await create(new Service(systems), {}, KEYED)).body;
    const asked = { repeatedCommandId: "00000000-00ff-7000-8000-0000ff000000" };
    const body = { headers: { "X-Key": "second" } };
    await expect(change(new Service(systems, at), id, body, asked)).rejects.toThrow(ProcessCrashed);
    const service = new Service(systems);
    expect((await change(service, id, body, asked)).status).toBe(200);
    expect((await systems.newEventTypes()).filter((type) => type === "WebhookEndpointChanged").length).toBe(1);
    expect(await headersIn(service)).toContainEqual({ "X-Key": "second" });
    expect((await remove(service, id)).status).toBe(204);
    expect(await secretsIn(service)).toBe(0);
  });

  test("keeps of headers those in force alone, however many are sent at once", async () => {
    const service = new Service(new ExternalSystems());
    const { id } = (await create(service, {}, KEYED)).body;
    const values = Array.from({ length: 10 }, (_, n) => ({ "X-Key": `key ${n}` }));
    const answers = await Promise.all(values.map((headers) => change(service, id, { headers })));
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200]));
    const last = (await service.systems.newEvents()).at(-1)?.data as WebhookEndpointChanged["data"] | undefined;
    const inForce = await secretOf(service, last?.headers?.headersId ?? "");
    expect(await headersIn(service)).toStrictEqual([JSON.parse(inForce ?? "")]);
    expect((await change(service, id, { headers: {} })).status).toBe(200);
    expect(await headersIn(service)).toStrictEqual([]);
  });

  test("removes what a process left that died before its headers were in force", async () => {
    const systems = new ExternalSystems();
    const { id } = (await create(new Service(systems), {}, KEYED)).body;
    const dying = new Service(systems, "endpoint:new-headers");
    await expect(change(dying, id, { headers: { "X-Key": "lost" } })).rejects.toThrow(ProcessCrashed);
    const service = new Service(systems);
    expect(await headersIn(service)).toHaveLength(2);
    expect((await change(service, id, { maxPerSecond: 6 })).status).toBe(200);
    expect(await headersIn(service)).toStrictEqual([{ "X-Key": "first" }]);
  });

  test("ends with its endpoint: nothing of it is kept", async () => {
    const service = new Service(new ExternalSystems());
    const { id } = (await create(service, {}, KEYED)).body;
    expect(await secretsIn(service)).toBe(2);
    expect((await remove(service, id)).status).toBe(204);
    expect(await secretsIn(service)).toBe(0);
  });
});

describe("deleting a webhook endpoint", () => {
  test("stops its deliveries and forgets its secret before it is answered", async () => {
    const service = new Service(new ExternalSystems());
    const { body } = await create(service);
    await service.systems.newEvents();
    expect((await remove(service, body.id)).status).toBe(204);
    expect((await new EndpointStates(service.systems.state).get(body.id)).deletedAt).toBe(T0);
    expect(await secretOf(service, body.id)).toBeUndefined();
    expect(await service.systems.newEvents()).toStrictEqual([
      {
        stream: `webhookEndpoints-${ADA}`,
        type: "WebhookEndpointDeleted",
        data: { endpointId: body.id, accountId: ADA },
      },
    ]);
    expect((await remove(service, body.id)).status).toBe(404);
  });

  test("of another account, or of none, finds nothing", async () => {
    const service = new Service(new ExternalSystems());
    const { body } = await create(service);
    expect((await remove(service, body.id, { accountId: EVE })).status).toBe(404);
    expect((await remove(service, "whe_none")).status).toBe(404);
    expect(await secretOf(service, body.id)).toBe(body.secret);
    expect((await new EndpointStates(service.systems.state).get(body.id)).deletedAt).toBeNull();
  });
});

describe("rotating the secret of a webhook endpoint", () => {
  const rotate = (service: Service, id: string, asked?: CallOptions, body: object = {}) =>
    service.call<RotatedWebhookSecretBody>("rotateWebhookSecret", { id }, body, asked);
  const NOW = { expirePreviousNow: true };

  test("keeps at most two, and none of a deleted endpoint", async () => {
    const service = new Service(new ExternalSystems());
    const { body } = await create(service);
    const first = await rotate(service, body.id);
    expect(first.status).toBe(200);
    expect(first.body.secret).not.toBe(body.secret);
    expect(await secretsIn(service)).toBe(2);
    expect((await rotate(service, body.id)).status).toBe(409);
    expect((await rotate(service, body.id, {}, NOW)).status).toBe(200);
    expect((await rotate(service, body.id, {}, NOW)).status).toBe(200);
    expect(await secretsIn(service)).toBe(2);
    expect((await remove(service, body.id)).status).toBe(204);
    expect(await secretsIn(service)).toBe(0);
  });

  test("of another account, or of none, finds nothing and leaves nothing", async () => {
    const service = new Service(new ExternalSystems());
    const { body } = await create(service);
    expect((await rotate(service, body.id, { accountId: EVE })).status).toBe(404);
    expect((await rotate(service, "whe_none")).status).toBe(404);
    expect(await secretsIn(service)).toBe(1);
  });

  test("goes on where a process died, with the secret that it made", async () => {
    const systems = new ExternalSystems();
    const { body } = await create(new Service(systems));
    const asked = { repeatedCommandId: "00000000-00ff-7000-8000-0000ff000000" };
    await expect(rotate(new Service(systems, "endpoint:new-secret"), body.id, asked)).rejects.toThrow(ProcessCrashed);
    const service = new Service(systems);
    const rotated = await rotate(service, body.id, asked);
    expect(await rotate(service, body.id, asked)).toStrictEqual(rotated);
    expect(await secretOf(service, `${body.id}/${asked.repeatedCommandId}`)).toBe(rotated.body.secret);
    const events = JSON.stringify(await systems.newEvents());
    expect(events).toContain("WebhookSecretRotated");
    expect(events).not.toContain(rotated.body.secret);
  });
});

describe("resuming a webhook endpoint", () => {
  const resume = (service: Service, id: string, asked?: CallOptions): Promise<CallResponse<WebhookStatusBody>> =>
    service.call("resumeWebhookEndpoint", { id }, {}, asked);

  test("makes a paused one active, and leaves an active one as it is", async () => {
    const service = new Service(new ExternalSystems());
    const { systems } = service;
    const { id } = (await create(service)).body;
    const plain = { owed: 0, oldestOwedAt: null, headerNames: [], maxPerSecond: null };
    const active = { status: "active", reason: null, ...plain };
    const since = (at: number) => ({ since: new Date(at).toISOString() });
    systems.clock.set(T0 + 1_000);
    expect(await resume(service, id)).toStrictEqual({ status: 200, body: { ...active, ...since(T0) } });
    await new EndpointStates(systems.state).change(id, (health) => ({
      ...health,
      status: "paused",
      since: T0 + 1_000,
      reason: "gone",
      failingSince: T0 + 500,
    }));
    systems.clock.set(T0 + 2_000);
    expect(await resume(service, id)).toStrictEqual({ status: 200, body: { ...active, ...since(T0 + 2_000) } });
    expect((await new EndpointStates(systems.state).get(id)).health.restarts).toStrictEqual([
      { since: T0 + 500, at: T0 + 2_000, resumed: true },
    ]);
  });

  test("of another account, or of one that is deleted, finds nothing", async () => {
    const service = new Service(new ExternalSystems());
    const { id } = (await create(service)).body;
    expect((await resume(service, id, { accountId: EVE })).status).toBe(404);
    await remove(service, id);
    expect((await resume(service, id)).status).toBe(404);
  });
});
