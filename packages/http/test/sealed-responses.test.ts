import { afterEach, expect, test } from "@jest/globals";
import { type ApiResponse, errorResponse } from "@travel-booking/http";
import { TextSealer } from "@travel-booking/runtime";
import { type Service, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service?.stop());

const SECRET = "whsec_of-the-test";
const sealedAnswers = new TextSealer(new Uint8Array(32).fill(7));
const key = (value: string) => ({ "idempotency-key": value });

async function withAnswers(answer: (call: number) => ApiResponse, options: object = { responseSealer: sealedAnswers }) {
  let calls = 0;
  const makeThing = () => {
    calls += 1;
    return answer(calls);
  };
  service = await startService({ ...options, handlers: { makeThing }, confidential: ["makeThing"] });
  return () => calls;
}

const withSecret = (call: number): ApiResponse => ({ status: 201, json: JSON.stringify({ call, secret: SECRET }) });

function stored(): string {
  return JSON.stringify([...service.store.records.values()]);
}

test("a repeated request is answered the same secret, and nowhere is it stored as it is", async () => {
  const calls = await withAnswers(withSecret);
  const first = await service.post("/v1/things", { name: "a" }, key("k"));
  const again = await service.post("/v1/things", { name: "a" }, key("k"));
  expect([first.status, first.body]).toStrictEqual([201, { call: 1, secret: SECRET }]);
  expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toStrictEqual([201, first.text, "true"]);
  expect(calls()).toBe(1);
  expect(stored()).toContain('"status":201');
  expect(stored()).not.toContain("whsec");
  expect(first.headers.get("content-length")).toBe(String(Buffer.byteLength(first.text)));
});

test("twins at once, bytes, and no body at all", async () => {
  await withAnswers((call) => ({ status: 201, json: Buffer.from(JSON.stringify({ call })) }));
  const twins = await Promise.all([1, 2, 3].map(() => service.post("/v1/things", { name: "a" }, key("k"))));
  expect(twins.map(({ text }) => text)).toStrictEqual(['{"call":1}', '{"call":1}', '{"call":1}']);
  await service.stop();
  await withAnswers(() => ({ status: 204, json: null }));
  for (const _ of [1, 2]) {
    const answer = await service.post("/v1/things", { name: "a" }, key("k"));
    expect([answer.status, answer.text]).toStrictEqual([204, ""]);
  }
});

test("a refusal is kept as it is, and a key of another request refused", async () => {
  await withAnswers(() => errorResponse(422, "too many"));
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
  await withAnswers(withSecret);
  expect((await service.post("/v1/things", { name: "a" })).body).toStrictEqual({ call: 1, secret: SECRET });
  expect(stored()).toBe("[]");
});

test("an app that can't seal is not made", async () => {
  await expect(withAnswers(withSecret, {})).rejects.toThrow("makeThing answers a secret, and nothing can seal it");
});
