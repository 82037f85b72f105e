import { afterEach, describe, expect, test } from "@jest/globals";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { type ApiRequest, type ApiResponse, errorResponse, Idempotency } from "@travel-booking/http";
import { ManualClock, sequentialCommandIds } from "@travel-booking/runtime";
import { canonicalJson, fingerprintOf } from "../src/idempotency/idempotency.ts";
import { MemoryStateStore } from "./support/memory-state-store.ts";
import { type Service, startService, unsealedWords } from "./support/service.ts";

let service: Service;
afterEach(() => service?.stop());

interface Stored {
  readonly fingerprint: string;
}

const HOUR = 3_600_000;
const key = (value: string) => ({ "idempotency-key": value });

/** A service whose handler responds as the test says and records its commands. */
async function withHandler(respond: (call: number) => ApiResponse | Promise<ApiResponse>, maxWaitMs?: number) {
  const calls: ApiRequest["command"][] = [];
  const handler = ({ command }: ApiRequest) => {
    calls.push(command);
    return respond(calls.length);
  };
  const wait = maxWaitMs === undefined ? {} : { maxWaitMs };
  service = await startService({ ...wait, handlers: { makeThing: handler, payThing: handler } });
  return calls;
}

/** The same behind a gate. `begun` resolves when a call has come to it. */
async function withGate(respond: (call: number) => ApiResponse, maxWaitMs?: number) {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const calls = await withHandler(async (call) => {
    begin();
    await gate;
    return respond(call);
  }, maxWaitMs);
  return { calls, begun, open };
}

const numbered = (call: number): ApiResponse => ({
  status: 201,
  json: JSON.stringify({ call }),
  headers: { Location: `/${call}` },
});

test("a retry gets the first result, and nothing runs again", async () => {
  const calls = await withHandler(numbered);
  const first = await service.post("/v1/things", { name: "a", size: 1 }, key("k"));
  const retry = await service.post("/v1/things", { size: 1, name: "a" }, key("k"));
  expect([first.status, first.body, first.headers.get("idempotent-replayed")]).toStrictEqual([201, { call: 1 }, null]);
  expect([retry.status, retry.body, retry.headers.get("idempotent-replayed")]).toStrictEqual([
    201,
    { call: 1 },
    "true",
  ]);
  expect([
    retry.headers.get("location"),
    retry.headers.get("x-request-id") === first.headers.get("x-request-id"),
  ]).toStrictEqual(["/1", false]);
  expect(calls.length).toBe(1);
});

test("a key belongs to one operation of one account", async () => {
  const calls = await withHandler(numbered);
  const other = service.directory.add().key.apiKey;
  await service.post("/v1/things", { name: "a" }, key("k"));
  await service.post("/v1/things/1/payments", { name: "a" }, key("k"));
  await service.post("/v1/things", { name: "a" }, { ...key("k"), "x-api-key": other });
  expect(calls.map((command) => command?.repeated)).toStrictEqual([false, false, false]);
  expect(new Set(calls.map((command) => command?.commandId)).size).toBe(3);
});

test("two credentials of one account share their keys", async () => {
  const calls = await withHandler(numbered);
  const token = await service.tokens.issue(service.client.clientId, ["bookings:write"]);
  await service.post("/v1/things", { name: "a" }, key("k"));
  const retry = await service.post("/v1/things", { name: "a" }, { ...key("k"), authorization: `Bearer ${token}` });
  expect([retry.headers.get("idempotent-replayed"), calls.length]).toStrictEqual(["true", 1]);
});

test("another body, or another path, with the same key is 422", async () => {
  const calls = await withHandler(numbered);
  await service.post("/v1/things/1/payments", { name: "a" }, key("k"));
  for (const [path, name] of [
    ["/v1/things/1/payments", "b"],
    ["/v1/things/2/payments", "a"],
  ] as const) {
    const answer = await service.post(path, { name }, key("k"));
    expect(answer.body).toStrictEqual({
      statusCode: 422,
      message: "The Idempotency-Key was already used with a different request.",
      error: "Unprocessable Entity",
    });
    expect(answer.headers.get("idempotent-replayed")).toBe(null);
  }
  expect(calls.length).toBe(1);
});

test("without a key every request is a command of its own", async () => {
  const calls = await withHandler(numbered);
  await service.post("/v1/things", { name: "a" });
  await service.post("/v1/things", { name: "a" });
  expect(calls.map((command) => command?.repeated)).toStrictEqual([false, false]);
  expect(calls[0]?.commandId === calls[1]?.commandId).toBe(false);
  expect(service.store.records.size).toBe(0);
});

test.each([
  ["missing where it is required", {}, ["Idempotency-Key is required"]],
  ["empty", key(""), ["Idempotency-Key must not be empty"]],
  ["too long", key("k".repeat(256)), ["Idempotency-Key must have at most 255 characters"]],
])("a key that is %s is 400", async (_name, headers, message) => {
  await withHandler(numbered);
  const answer = await service.post("/v1/things/1/payments", { name: "a" }, headers as Record<string, string>);
  expect(answer.body).toStrictEqual({ statusCode: 400, message, error: "Bad Request" });
  expect((await service.post("/v1/things/1/payments", { name: "a" }, key("k".repeat(255)))).status).toBe(201);
});

const REFUSALS = [
  errorResponse(404, "booking_not_found", "no"),
  errorResponse(409, "seat_held", "no"),
  errorResponse(422, "key_reused", "no"),
];

test.each(REFUSALS)("a refusal that depends on the state, $status, is stored with its code", async (refusal) => {
  const calls = await withHandler(() => refusal);
  const first = await service.post("/v1/things", { name: "a" }, key("k"));
  const retry = await service.post("/v1/things", { name: "a" }, key("k"));
  expect([retry.status, retry.text, retry.headers.get("idempotent-replayed")]).toStrictEqual([
    refusal.status,
    first.text,
    "true",
  ]);
  const code = refusal.headers?.["Service-Error-Code"];
  expect([first, retry].map(({ headers }) => headers.get("service-error-code"))).toStrictEqual([code, code]);
  expect(calls.length).toBe(1);
});

test.each<[string, ApiResponse]>([
  ["400", errorResponse(400, "invalid_request", "no")],
  ["401", errorResponse(401, "invalid_api_key", "no")],
  ["403", errorResponse(403, "quota_exceeded", "no")],
  ["429", errorResponse(429, "rate_limited", "no")],
  ["409 of a command that was given up", { ...errorResponse(409, "payment_in_progress", "no"), givenUp: true }],
])("a refusal that does not, %s, frees the key", async (_, refusal) => {
  const calls = await withHandler((call) => (call === 1 ? refusal : numbered(call)));
  expect((await service.post("/v1/things", { name: "a" }, key("k"))).status).toBe(refusal.status);
  const other = await service.post("/v1/things", { name: "b" }, key("k"));
  expect([other.status, other.headers.get("idempotent-replayed")]).toStrictEqual([201, null]);
  expect(calls[0]?.commandId === calls[1]?.commandId).toBe(false);
  expect(calls[1]?.repeated).toBe(false);
});

test.each<[string, () => ApiResponse]>([
  ["500", () => errorResponse(500, "internal_error", "no")],
  ["503", () => errorResponse(503, "out_of_reach", "no")],
  [
    "an exception",
    () => {
      throw new Error("no");
    },
  ],
  [
    "in progress",
    () => ({ ...errorResponse(409, "payment_in_progress", "another payment is in progress"), transient: true }),
  ],
])("after %s the same command runs again", async (_name, fail) => {
  const calls = await withHandler((call) => (call === 1 ? fail() : numbered(call)));
  await service.post("/v1/things", { name: "a" }, key("k"));
  expect((await service.post("/v1/things", { name: "b" }, key("k"))).status).toBe(422);
  const retry = await service.post("/v1/things", { name: "a" }, key("k"));
  expect([retry.status, retry.body, retry.headers.get("idempotent-replayed")]).toStrictEqual([201, { call: 2 }, null]);
  expect(calls.map((command) => command?.repeated)).toStrictEqual([false, true]);
  expect(calls[1]?.commandId).toBe(calls[0]?.commandId);
});

/** What a handler throws where a store is out of reach before it has done anything. */
class OutOfReach extends EngineUnavailable {
  readonly engine = "a store";
}

test.each([
  ["nothing was attempted: the key is free", false, 503, undefined],
  ["a step may be durable: the same command runs again, and the answer is no 503", true, 500, "5"],
])("a store is out of reach: %s", async (_, acted, status, retryAfter) => {
  const commands: ApiRequest["command"][] = [];
  const makeThing = ({ command }: ApiRequest): ApiResponse => {
    commands.push(command);
    if (command !== null && acted) command.mayHaveActed = true;
    if (commands.length === 1) throw new OutOfReach("it does not answer");
    return numbered(commands.length);
  };
  const mapError = () => errorResponse(503, "out_of_reach", "out of reach");
  service = await startService({ handlers: { makeThing }, mapError });
  const first = await service.post("/v1/things", { name: "a" }, key("k"));
  expect([first.status, first.headers.get("retry-after") ?? undefined]).toStrictEqual([status, retryAfter]);
  expect((await service.post("/v1/things", { name: "a" }, key("k"))).status).toBe(201);
  expect(commands.map((command) => command?.repeated)).toStrictEqual([false, acted]);
  expect(commands[0]?.commandId === commands[1]?.commandId).toBe(acted);
});

test("a command that was given up since its first attempt is run anew, under the same key", async () => {
  const calls = await withHandler((call) => {
    if (call === 1) throw new Error("no");
    return call === 2 ? { ...errorResponse(409, "payment_in_progress", "given up"), givenUp: true } : numbered(call);
  });
  expect((await service.post("/v1/things", { name: "a" }, key("k"))).status).toBe(500);
  const retry = await service.post("/v1/things", { name: "a" }, key("k"));
  expect([retry.status, retry.body, retry.headers.get("idempotent-replayed")]).toStrictEqual([201, { call: 3 }, null]);
  expect(calls.map((command) => command?.repeated)).toStrictEqual([false, true, false]);
  const again = await service.post("/v1/things", { name: "a" }, key("k"));
  expect([again.body, again.headers.get("idempotent-replayed")]).toStrictEqual([{ call: 3 }, "true"]);
});

test("of fifty requests at once one runs, and all get its result", async () => {
  const { calls, begun, open } = await withGate(numbered);
  const sent = Array.from({ length: 50 }, () => service.post("/v1/things", { name: "a" }, key("k")));
  await begun;
  const different = await service.post("/v1/things", { name: "b" }, key("k")).then(({ status }) => status);
  open();
  const answers = await Promise.all(sent);
  expect(different).toBe(422);
  expect(calls.length).toBe(1);
  expect(answers.map(({ status }) => status)).toStrictEqual(new Array(50).fill(201));
  expect(new Set(answers.map(({ text }) => text))).toStrictEqual(new Set(['{"call":1}']));
  expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true").length).toBe(49);
});

test("a request that waits for one that fails runs the same command again", async () => {
  const { calls, begun, open } = await withGate((call) => {
    if (call === 1) throw new Error("no");
    return numbered(call);
  });
  const first = service.post("/v1/things", { name: "a" }, key("k"));
  await begun;
  const second = service.post("/v1/things", { name: "a" }, key("k"));
  open();
  expect([(await first).status, (await second).body]).toStrictEqual([500, { call: 2 }]);
  expect(calls.map((command) => command?.repeated)).toStrictEqual([false, true]);
  expect(calls[1]?.commandId).toBe(calls[0]?.commandId);
});

test("a repeated request that has waited too long gets 409", async () => {
  const { begun, open } = await withGate(numbered, 20);
  const first = service.post("/v1/things", { name: "a" }, key("k"));
  await begun;
  const twin = await service.post("/v1/things", { name: "a" }, key("k"));
  expect([twin.status, twin.headers.get("retry-after"), twin.headers.get("idempotent-replayed")]).toStrictEqual([
    409,
    "1",
    null,
  ]);
  open();
  expect((await first).status).toBe(201);
  const retry = await service.post("/v1/things", { name: "a" }, key("k"));
  expect([retry.status, retry.headers.get("idempotent-replayed")]).toStrictEqual([201, "true"]);
});

test("a key is kept for 24 hours of the service's clock", async () => {
  const calls = await withHandler(numbered);
  await service.post("/v1/things", { name: "a" }, key("k"));
  service.clock.advance(24 * HOUR - 1);
  expect((await service.post("/v1/things", { name: "a" }, key("k"))).body).toStrictEqual({ call: 1 });
  service.clock.advance(1);
  expect((await service.post("/v1/things", { name: "b" }, key("k"))).body).toStrictEqual({ call: 2 });
  expect(calls.map((command) => command?.repeated)).toStrictEqual([false, false]);
});

test("bytes, an empty body and a position survive being stored", async () => {
  const store = new MemoryStateStore();
  const options = { store, clock: new ManualClock(0), commandIds: sequentialCommandIds() };
  const idempotency = new Idempotency(options);
  const request = { accountId: "a", operationId: "o", fingerprint: "f", sealer: unsealedWords };
  await idempotency.run({ ...request, key: "1" }, () => ({ status: 200, json: Buffer.from('"ä"'), position: 7n }));
  await idempotency.run({ ...request, key: "2" }, () => ({ status: 204, json: null }));
  const never = () => Promise.reject(new Error("ran again"));
  const headers = { "Idempotent-Replayed": "true" };
  expect(await idempotency.run({ ...request, key: "1" }, never)).toStrictEqual({
    status: 200,
    json: '"ä"',
    headers,
    position: 7n,
  });
  expect(await idempotency.run({ ...request, key: "2" }, never)).toStrictEqual({ status: 204, json: null, headers });
});

test("the fingerprint depends on method, path and the value of the body", () => {
  expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  const one = fingerprintOf("POST", "/v1/a", { a: 1, b: 2 });
  expect(fingerprintOf("POST", "/v1/a", { b: 2, a: 1 })).toBe(one);
  expect(fingerprintOf("PATCH", "/v1/a", { a: 1, b: 2 }) === one).toBe(false);
  expect(fingerprintOf("POST", "/v1/b", { a: 1, b: 2 }) === one).toBe(false);
  expect(fingerprintOf("POST", "/v1/a", { a: 1, b: "2" }) === one).toBe(false);
});

test("requests are told apart under the account's key, or as a former release told them", async () => {
  const requestKey = async (accountId: string, fingerprint: string) => `${accountId}:${fingerprint}`;
  const words = { ...unsealedWords, keys: { requestKey } };
  let calls = 0;
  service = await startService({ words, handlers: { makeThing: () => numbered(++calls) } });
  const { key: credential, store } = service;
  await service.post("/v1/things", { name: "a" }, key("k"));
  const plain = fingerprintOf("POST", "/v1/things", { name: "a" });
  const stored = [...store.records.entries()].map(
    ([at, record]) => [at, (record.value as Stored).fingerprint] as const,
  );
  expect(stored.map(([, fingerprint]) => fingerprint)).toStrictEqual([`${credential.accountId}:${plain}`]);
  const repeated = async (name: string) => (await service.post("/v1/things", { name }, key("k"))).status;
  expect([await repeated("a"), await repeated("b"), calls]).toStrictEqual([201, 422, 1]);
  for (const [at, record] of store.records)
    store.records.set(at, { ...record, value: { ...(record.value as Stored), fingerprint: plain } });
  expect([await repeated("a"), await repeated("b"), calls]).toStrictEqual([201, 422, 1]);
});

describe("a response that holds a secret", () => {
  const SECRET = "whsec_of-the-test";

  async function withConfidentialResponses(answer: (call: number) => ApiResponse) {
    let calls = 0;
    const makeThing = () => {
      calls += 1;
      return answer(calls);
    };
    service = await startService({ handlers: { makeThing }, confidential: ["makeThing"] });
    return () => calls;
  }

  const withSecret = (call: number): ApiResponse => ({ status: 201, json: JSON.stringify({ call, secret: SECRET }) });

  function stored(): string {
    return JSON.stringify([...service.store.records.values()]);
  }

  test("a repeated request gets the same secret, which is stored nowhere unsealed", async () => {
    const calls = await withConfidentialResponses(withSecret);
    const first = await service.post("/v1/things", { name: "a" }, key("k"));
    const again = await service.post("/v1/things", { name: "a" }, key("k"));
    expect([first.status, first.body]).toStrictEqual([201, { call: 1, secret: SECRET }]);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toStrictEqual([
      201,
      first.text,
      "true",
    ]);
    expect(calls()).toBe(1);
    expect(stored()).toContain('"status":201');
    expect(stored()).not.toContain("whsec");
    expect(first.headers.get("content-length")).toBe(String(Buffer.byteLength(first.text)));
  });

  test("repeated requests at once, bytes, and an empty body", async () => {
    await withConfidentialResponses((call) => ({ status: 201, json: Buffer.from(JSON.stringify({ call })) }));
    const twins = await Promise.all([1, 2, 3].map(() => service.post("/v1/things", { name: "a" }, key("k"))));
    expect(twins.map(({ text }) => text)).toStrictEqual(['{"call":1}', '{"call":1}', '{"call":1}']);
    await service.stop();
    await withConfidentialResponses(() => ({ status: 204, json: null }));
    for (const _ of [1, 2]) {
      const answer = await service.post("/v1/things", { name: "a" }, key("k"));
      expect([answer.status, answer.text]).toStrictEqual([204, ""]);
    }
  });

  test("a refusal is stored unsealed, and a key of another request is refused", async () => {
    await withConfidentialResponses(() => errorResponse(422, "key_reused", "too many"));
    for (const _ of [1, 2]) {
      const refused = await service.post("/v1/things", { name: "a" }, key("k"));
      expect([refused.status, refused.body.message]).toStrictEqual([422, "too many"]);
    }
    expect(stored()).toContain("too many");
    const other = await service.post("/v1/things", { name: "b" }, key("k"));
    expect([other.status, other.body.message]).toStrictEqual([
      422,
      "The Idempotency-Key was already used with a different request.",
    ]);
  });

  test("without a key nothing is stored", async () => {
    await withConfidentialResponses(withSecret);
    expect((await service.post("/v1/things", { name: "a" })).body).toStrictEqual({ call: 1, secret: SECRET });
    expect(stored()).toBe("[]");
  });
});
