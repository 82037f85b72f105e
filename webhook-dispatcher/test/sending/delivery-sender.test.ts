import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Resolve } from "@travel-booking/webhooks/targets";
import type { DispatcherOptions } from "../../src/dispatcher-options.ts";
import { ConnectionPools } from "../../src/sending/connection-pools.ts";
import { DeliverySender, type PreSendCheck } from "../../src/sending/delivery-sender.ts";
import { sign } from "../../src/sending/sign.ts";
import { AUTHORITY, CERTIFICATE, PRIVATE_KEY } from "../kit/certificates.ts";

const NEVER = new AbortController().signal;
const secrets = ["whsec_c2VjcmV0"] as const;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server that answers 204 and remembers who asked for what. */
async function serve(secure = false) {
  const seen: { host: string | undefined; servername: unknown }[] = [];
  const connections = new Set<Socket>();
  const handle = (request: IncomingMessage, response: http.ServerResponse) => {
    seen.push({ host: request.headers.host, servername: (request.socket as TLSSocket).servername });
    request.resume();
    response.writeHead(204).end();
  };
  const server = secure
    ? https.createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, handle)
    : http.createServer(handle);
  server.on(secure ? "secureConnection" : "connection", (socket: Socket) => connections.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, connections, port: (server.address() as AddressInfo).port };
}

function attemptsWith(options: Partial<DispatcherOptions> & { ca?: string } = {}) {
  const { ca, ...rest } = options;
  const connections = new ConnectionPools({ perEndpoint: 4, ...(ca && { tls: { ca } }) });
  closing.push(() => connections.close());
  const attempts = new DeliverySender({ connections, targets: { allowPrivate: true, ports: [] }, ...rest });
  return async (
    url: string,
    { gate = () => true, signal = NEVER }: { gate?: PreSendCheck; signal?: AbortSignal } = {},
  ) => {
    const delivery = { endpointId: "whe_1", url, secrets, headers: {}, eventId: "evt_1", body: Buffer.from("{}") };
    return (await attempts.attempt(delivery, gate, signal))?.outcome;
  };
}

/** Answers one after another, the last for ever; and what was asked. */
function answering(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve: Resolve = async (name) => {
    asked.push(name);
    return answers[Math.min(asked.length, answers.length) - 1] ?? [];
  };
  return { resolve, asked };
}

describe("connections go to the checked address", () => {
  test("over TLS the certificate has to be for the host name, which is sent as SNI", async () => {
    const { seen, port } = await serve(true);
    const { resolve, asked } = answering(["127.0.0.1"]);
    const make = attemptsWith({ resolve, ca: AUTHORITY });
    const outcome = await make(`https://receiver.example:${port}/`);
    expect(outcome).toStrictEqual({ ok: true, responseStatus: 204 });
    expect(seen).toStrictEqual([{ host: `receiver.example:${port}`, servername: "receiver.example" }]);
    expect(asked).toStrictEqual(["receiver.example"]);
  });

  test("a trailing dot of the host name is ignored for the certificate", async () => {
    const { seen, port } = await serve(true);
    const make = attemptsWith({ resolve: answering(["127.0.0.1"]).resolve, ca: AUTHORITY });
    expect(await make(`https://receiver.example.:${port}/`)).toStrictEqual({ ok: true, responseStatus: 204 });
    expect(seen[0]?.servername).toBe("receiver.example");
  });

  test.each([
    ["another name", "other.example", AUTHORITY, "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["an authority nobody knows", "receiver.example", undefined, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ])("a certificate of %s is refused", async (_, name, ca, code) => {
    const { seen, port } = await serve(true);
    const make = attemptsWith({ resolve: answering(["127.0.0.1"]).resolve, ...(ca && { ca }) });
    expect(await make(`https://${name}:${port}/`)).toMatchObject({
      ok: false,
      responseStatus: null,
      error: `the endpoint's certificate is not valid (${code})`,
    });
    expect(seen).toStrictEqual([]);
  });

  test("a name is resolved once per attempt, and never by the connection", async () => {
    const { seen, port } = await serve();
    // Nobody listens at the last one, which says so at once.
    const { resolve, asked } = answering(["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"]);
    const make = attemptsWith({ resolve });
    const url = `http://receiver.example:${port}/`;
    expect(await make(url)).toMatchObject({ ok: true });
    expect(await make(url)).toMatchObject({ ok: true });
    expect([asked.length, seen.length]).toStrictEqual([2, 2]);
    expect(await make(url)).toMatchObject({ ok: false });
    expect([asked.length, seen.length]).toStrictEqual([3, 2]);
  });

  test("a name that resolves to a private address at the second attempt is refused then", async () => {
    const { connections, port } = await serve(true);
    const { resolve } = answering(["2001:4860:4860::8888"], ["127.0.0.1"], ["8.8.8.8", "127.0.0.1"]);
    const make = attemptsWith({
      resolve,
      targets: { allowPrivate: false, ports: [] },
      attemptTimeoutMs: 200,
      ca: AUTHORITY,
    });
    const url = `https://receiver.example:${port}/`;
    await make(url);
    const refused = { ok: false, error: "the URL must not lead to a loopback address", responseStatus: null };
    expect(await make(url)).toMatchObject(refused);
    expect(await make(url)).toMatchObject(refused);
    expect(connections.size).toBe(0);
  });

  test("an open connection is not reused once the name resolves to another address", async () => {
    const { seen, port } = await serve();
    const { resolve } = answering(["127.0.0.1"], ["10.0.0.1"]);
    const url = `http://receiver.example:${port}/`;
    const connections = new ConnectionPools({ perEndpoint: 4 });
    closing.push(() => connections.close());
    const delivery = { endpointId: "whe_1", url, secrets, headers: {}, eventId: "evt_1", body: Buffer.from("{}") };
    const open = new DeliverySender({ connections, targets: { allowPrivate: true, ports: [] }, resolve });
    expect((await open.attempt(delivery, () => true, NEVER))?.outcome).toMatchObject({ ok: true });
    const strict = new DeliverySender({ connections, targets: { allowPrivate: false, ports: [] }, resolve });
    const https = { ...delivery, url: url.replace("http:", "https:") };
    expect((await strict.attempt(https, () => true, NEVER))?.outcome).toMatchObject({
      error: "the URL must not lead to a private address",
    });
    expect(seen).toHaveLength(1);
  });

  test("of several addresses the next one is used if one does not respond", async () => {
    const { seen, port } = await serve();
    const make = attemptsWith({ resolve: answering(["127.0.0.2", "127.0.0.1"]).resolve });
    const url = `http://receiver.example:${port}/`;
    expect(await make(url)).toMatchObject({ ok: false });
    expect(await make(url)).toMatchObject({ ok: true });
    expect(await make(url)).toMatchObject({ ok: true });
    expect(seen).toHaveLength(2);
  });

  test("a name without an address is a failed attempt", async () => {
    const make = attemptsWith({ resolve: answering([]).resolve });
    expect(await make("https://receiver.example/")).toMatchObject({
      error: "the URL names a host that can't be found",
    });
  });
});

describe("an attempt", () => {
  test("uses a connection that is open", async () => {
    const { seen, connections, port } = await serve();
    const make = attemptsWith();
    for (let n = 0; n < 20; n += 1) await make(`http://127.0.0.1:${port}/`);
    expect(seen).toHaveLength(20);
    // The next attempt may come a moment before the connection of the last is free.
    expect(connections.size).toBeLessThan(4);
  });

  test("is not made if the last check refuses it", async () => {
    const { connections, port } = await serve();
    const make = attemptsWith();
    expect(await make(`http://127.0.0.1:${port}/`, { gate: async () => false })).toBeUndefined();
    expect(connections.size).toBe(0);
  });

  test("has a time limit that includes the look-up", async () => {
    const make = attemptsWith({ resolve: () => new Promise(() => undefined), attemptTimeoutMs: 50 });
    expect(await make("https://receiver.example/")).toMatchObject({
      error: "the endpoint did not answer within 0.05 seconds",
    });
  });

  test("that is aborted has no outcome", async () => {
    const abort = new AbortController();
    const make = attemptsWith({ resolve: () => new Promise(() => abort.abort(new Error("stopping"))) });
    await expect(make("https://receiver.example/", { signal: abort.signal })).rejects.toThrow("stopping");
    await expect(make("https://receiver.example/", { signal: abort.signal })).rejects.toThrow("stopping");
  });
});

test("what this machine can't send is no failure of the receiver's", async () => {
  const noFileLeft = Object.assign(new Error("connect EMFILE"), { code: "EMFILE" });
  const connections = { poolFor: () => ({ request: () => Promise.reject(noFileLeft) }) } as unknown as ConnectionPools;
  const attempts = new DeliverySender({ connections, targets: { allowPrivate: true, ports: [] } });
  const delivery = {
    endpointId: "whe_1",
    url: "http://127.0.0.1/",
    secrets,
    headers: {},
    eventId: "evt_1",
    body: Buffer.from("{}"),
  };
  await expect(attempts.attempt(delivery, () => true, NEVER)).rejects.toThrow(noFileLeft);
});

test("without the secret of an endpoint nothing is sent, and the error says what to do", async () => {
  const { port, seen } = await serve();
  const attempts = new DeliverySender({
    connections: new ConnectionPools({ perEndpoint: 1 }),
    targets: { allowPrivate: true, ports: [] },
  });
  const url = `http://127.0.0.1:${port}/`;
  const delivery = {
    endpointId: "whe_1",
    url,
    secrets: undefined,
    headers: {},
    eventId: "evt_1",
    body: Buffer.from("{}"),
  };
  expect(await attempts.attempt(delivery, () => true, NEVER)).toMatchObject({
    outcome: { error: "the endpoint's secret or its headers can no longer be read: create the endpoint anew" },
    signature: "",
  });
  expect(seen).toStrictEqual([]);
});

const SIGNED_AT = 1_614_265_330_999;

test("Service-Signature is lower-case hex HMAC-SHA256 under the whole secret (RFC 4231, test case 2)", () => {
  const { signature, headers } = sign(["Jefe"], "evt_1", Buffer.from("what do ya want for nothing?"), SIGNED_AT);
  expect(signature).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  expect(headers["Service-Signature"]).toBe(signature);
});

test("the Standard Webhooks headers are those of the specification's example", () => {
  const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] as const;
  const { headers } = sign(secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek", Buffer.from('{"test": 2432232314}'), SIGNED_AT);
  expect(headers).toMatchObject({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});
