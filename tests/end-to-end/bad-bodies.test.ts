import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { bodyLimitOf } from "@travel-booking/api-contract";
import { fieldsOf, HOSTILE } from "./kit/hostile-values.ts";
import { expectProblems, messageOf } from "./kit/problems.ts";
import { nameOfSample, neededHeaders, SAMPLES, type Sample } from "./kit/request-samples.ts";
import type { TestResponse } from "./kit/test-response.ts";
import { openWorld, type World } from "./kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.discard());

function send({ operation, path }: Sample, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return world.alice.send(operation.method, path, { body, headers: { ...neededHeaders(operation), ...headers } });
}

const UTF8 = (text: string) => Buffer.from(text, "utf8");
const NOT_JSON = [expect.stringMatching(/^body is not valid JSON: line [12], column \d+$/) as unknown as string];
const NOT_OBJECT = "body must be an object";
const KINDS = "type must be one of card, wallet, bank_transfer";

describe.each(SAMPLES.map((sample) => [nameOfSample(sample), sample] as const))("%s", (_name, sample) => {
  const { operation, body, status = 404, again = status } = sample;
  const text = JSON.stringify(body);
  const limit = bodyLimitOf(operation.body as NonNullable<typeof operation.body>);
  const withField = (field: string) => `${text.slice(0, -1)},${field}}`;

  test("is right in itself", async () => {
    expect((await send(sample, body)).status).toBe(status);
  });

  test.each<[string, string | Uint8Array, string[]]>([
    ["malformed", "{", NOT_JSON],
    ["invalid UTF-8", Buffer.concat([UTF8('{"x":"'), Buffer.of(0xc3, 0x28), UTF8('"}')]), ["body is not valid UTF-8"]],
    ["a NUL", withField('"x":{"y":["\\u0000"]}'), ["x.y[0] must not contain NUL characters"]],
    ["a prototype", withField('"__proto__":{"isAdmin":true}'), ["__proto__ can't be used as a name"]],
    ["a constructor", withField('"constructor":{"prototype":{"x":1}}'), ["constructor is not a known field"]],
    ["an operator", withField('"$where":"1","$gt":""'), ["$where is not a known field", "$gt is not a known field"]],
    [
      "the case of a field",
      withField('"Reason":"x"'),
      [expect.stringMatching(/^Reason is not a known field(?:; did you mean reason\?)?$/) as unknown as string],
    ],
    [
      "deep arrays",
      withField(`"x":${"[".repeat(5_000)}${"]".repeat(5_000)}`),
      ["body is nested deeper than 32 levels"],
    ],
    ["too much", withField(`"x":"${"a".repeat(limit)}"`), [`body must have at most ${limit} bytes`]],
  ])("400: %s", async (_what, sent, problems) => {
    expectProblems(await send(sample, sent), problems);
  });

  test("400: another value than an object", async () => {
    for (const value of ["null", "1", '"x"', "true", "[]", "[{}]", "-0", "1e999"]) {
      const answer = await send(sample, value);
      expect([value, answer.status, messageOf(answer)]).toStrictEqual([value, 400, [NOT_OBJECT]]);
    }
  });

  test("an empty body is accepted exactly where the document says so", async () => {
    const answer = await send(sample, "");
    if ("bodyOptional" in operation) expect(answer.status).toBe(404);
    else expectProblems(answer, ["body is required"]);
  });

  test.each<[string, Record<string, string>, string]>([
    ["text", { "content-type": "text/plain" }, "Content-Type must be application/json"],
    ["gzip", { "content-encoding": "gzip" }, "Content-Encoding is not supported: send the body uncompressed"],
  ])("400: labelled as %s", async (_what, headers, problem) => {
    const sent = "content-encoding" in headers ? gzipSync(text) : text;
    expectProblems(await send(sample, sent, headers), [problem]);
  });

  const values = HOSTILE.map((value) => [value] as const);
  test.each(fieldsOf(body))("%s is never taken for what it is not", async (field, put) => {
    for (const [value] of values) {
      const answer = await send(sample, put(value));
      expect([400, status, again]).toContain(answer.status);
      if (answer.status === 400) expectNamed(answer, field);
    }
  });
});

/** Each problem begins with the field, or with something in it. */
function expectNamed(answer: TestResponse, field: string): void {
  for (const message of messageOf(answer)) {
    const named =
      message.startsWith(field) || message === KINDS || message.startsWith("token is not known to the payment gateway");
    expect([field, message, named]).toStrictEqual([field, message, true]);
  }
}
