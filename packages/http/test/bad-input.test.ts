import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { bodyLimitOf } from "@travel-booking/api-contract";
import { makeThing } from "./support/operations.ts";
import { sendRaw } from "./support/raw.ts";
import { type Service, startService } from "./support/service.ts";

/** Bytes that the largest body of `makeThing` takes. */
const LIMIT = bodyLimitOf(makeThing.body);
const TOO_MUCH = `body must have at most ${LIMIT} bytes`;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

function badRequest(message: readonly string[]) {
  return { statusCode: 400, message, error: "Bad Request" };
}

describe("a body is refused with every problem named", () => {
  const json = { "content-type": "application/json" };
  test.each<[string, string | Uint8Array, Record<string, string>, string[]]>([
    ["malformed JSON", '{"name":', json, ["body is not valid JSON: line 1, column 9"]],
    ["nothing", "", json, ["body is required"]],
    ["a byte order mark", '\ufeff{"name":"a"}', json, ["body is not valid JSON: line 1, column 1"]],
    ["another type", "name=a", { "content-type": "text/plain" }, ["Content-Type must be application/json"]],
    [
      "no type fetch would not add",
      "{}",
      { "content-type": "application/jsonp" },
      ["Content-Type must be application/json"],
    ],
    ["another charset", "{}", { "content-type": "application/json; charset=latin1" }, ["charset must be utf-8"]],
    [
      "compression",
      gzipSync('{"name":"a"}'),
      { ...json, "content-encoding": "gzip" },
      ["Content-Encoding is not supported: send the body uncompressed"],
    ],
    ["invalid UTF-8", Uint8Array.of(0x22, 0xc3, 0x28, 0x22), json, ["body is not valid UTF-8"]],
    ["a NUL", '{"name":"a\\u0000b"}', json, ["name must not contain NUL characters"]],
    ["a NUL in a key", '{"name":"a","tags":{"\\u0000":"x"}}', json, ["tags: a key must not contain NUL characters"]],
    ["a lone surrogate", '{"name":"\\ud800"}', json, ["name must be well-formed Unicode"]],
    ["a prototype key", '{"name":"a","__proto__":{"x":1}}', json, ["__proto__ can't be used as a name"]],
    [
      "an escaped prototype key",
      '{"name":"a","tags":{"\\u005f_proto__":"x"}}',
      json,
      ["tags.__proto__ can't be used as a name"],
    ],
    ["a constructor", '{"name":"a","constructor":{}}', json, ["constructor is not a known field"]],
    ["an operator", '{"name":{"$gt":""}}', json, ["name must be a string"]],
    [
      "an unknown field",
      '{"name":"a","colour":1,"shape":2}',
      json,
      ["colour is not a known field", "shape is not a known field"],
    ],
    ["wrong types", '{"name":1,"size":1.5}', json, ["name must be a string", "size must be a whole number"]],
    ["an absurd number", '{"name":"a","size":1e400}', json, ["size must be a whole number"]],
    ["an array", "[]", json, ["body must be an object"]],
    ["null", "null", json, ["body must be an object"]],
    ["nesting", `${"[".repeat(20_000)}${"]".repeat(20_000)}`, json, ["body is nested deeper than 32 levels"]],
    [
      "nesting in a field",
      `{"name":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`,
      json,
      ["body is nested deeper than 32 levels"],
    ],
    ["too much", `{"name":"${"a".repeat(LIMIT)}"}`, json, [TOO_MUCH]],
  ])("%s", async (_name, body, headers, message) => {
    const answer = await service.send("POST", "/v1/things", { body, headers });
    expect(answer.body).toStrictEqual(badRequest(message));
    expect(answer.status).toBe(400);
    expect(answer.headers.get("x-request-id")).toMatch(/^[\w.-]+$/);
  });

  test("the first hundred, and that there are more", async () => {
    const fields = Array.from({ length: 150 }, (_, index) => [`field${index}`, 1]);
    const { message } = (await service.post("/v1/things", { name: "a", ...Object.fromEntries(fields) })).body;
    expect(message).toHaveLength(101);
    expect(message[99]).toBe("field99 is not a known field");
    expect(message[100]).toBe("there are more problems than these");
  });

  test.each([
    ["fields", `{${Array.from({ length: 9_000 }, (_, index) => `"f${index}":1`).join()}}`],
    ["entries", `{"name":[${"1,".repeat(5_000)}1]}`],
    ["fields of entries", `{"name":[${'{"a":1},'.repeat(5_000)}1]}`],
  ])("only how many values there may be, where there are far more: %s", async (_, body) => {
    expect((await service.post("/v1/things", body)).body).toStrictEqual(
      badRequest(["body has too many values: at most 1000"]),
    );
  });

  test("too much, in chunks of unknown length", async () => {
    const chunk = new Uint8Array(65_536).fill(0x20);
    const body = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 40; sent += 1) controller.enqueue(chunk);
        controller.close();
      },
    });
    const headers = { "x-api-key": service.key.apiKey, "content-type": "application/json" };
    const response = await fetch(`${service.baseUrl}/v1/things`, {
      method: "POST",
      headers,
      body,
      duplex: "half",
    } as RequestInit);
    expect(await response.json()).toStrictEqual(badRequest([TOO_MUCH]));
    expect((await service.get("/v1/things/1")).status).toBe(200);
  });

  test("a problem of the query, of the body and of a header, all at once", async () => {
    const answer = await service.send("POST", "/v1/things?x=1&x=2", {
      body: { name: 1 },
      headers: { "idempotency-key": "k".repeat(256) },
    });
    expect(answer.body).toStrictEqual(
      badRequest([
        "x is given more than once",
        "x is not a known parameter",
        "Idempotency-Key must have at most 255 characters",
        "name must be a string",
      ]),
    );
  });
});

test.each([
  ["application/json;charset=UTF-8", '{"name":"ä"}'],
  ['Application/JSON; charset="utf-8"', '{"name":"ä"}'],
  ["application/json; profile=x", '{"name":"ä"}'],
])("a body of type %s is read", async (type, body) => {
  const answer = await service.send("POST", "/v1/things", { body, headers: { "content-type": type } });
  expect(answer.body.body).toStrictEqual({ name: "ä" });
});

test("a body of exactly the bound is read", async () => {
  const body = JSON.stringify({ name: "a" }).padEnd(LIMIT);
  expect((await service.post("/v1/things", body)).body.body).toStrictEqual({ name: "a" });
});

test("an optional body may be missing, or be there without a type where it is empty", async () => {
  expect((await service.post("/v1/things/1/cancel")).body.body).toStrictEqual({});
  expect(
    (await service.send("POST", "/v1/things/1/cancel", { body: "", headers: { "content-type": "text/plain" } })).body
      .body,
  ).toStrictEqual({});
  expect((await service.post("/v1/things/1/cancel", { reason: 1 })).body).toStrictEqual(
    badRequest(["reason must be a string"]),
  );
});

describe("a query is refused with every problem named", () => {
  test.each<[string, string[]]>([
    ["colour=a&colour=b", ["colour is given more than once"]],
    ["colour=a&colour=b&colour=c", ["colour is given more than once"]],
    ["shape=1&limit=x", ["limit must be a whole number", "shape is not a known parameter"]],
    ["colour[$gt]=", ['["colour[$gt]"] is not a known parameter']],
    ["colour=%00", ['"colour" must not contain NUL characters']],
    ["colour=%zz", ['"colour" is not valid percent-encoded UTF-8']],
    ["colour=%ff", ['"colour" is not valid percent-encoded UTF-8']],
    ["%zz=1", ["a parameter's name is not valid percent-encoded UTF-8"]],
    ["__proto__=1", ["__proto__ is not a known parameter"]],
    ["constructor=1", ["constructor is not a known parameter"]],
  ])("%s", async (query, message) => {
    const answer = await service.get(`/v1/things?${query}`);
    expect(answer.body).toStrictEqual(badRequest(message));
    expect(answer.status).toBe(400);
  });

  test("of far too many parameters none is looked at", async () => {
    for (const path of ["/v1/things", "/v1/things/1"]) {
      for (const parameters of ["a=1&b=2&".repeat(26), "%&".repeat(50)]) {
        const answer = await service.get(`${path}?${parameters}`);
        expect(answer.body).toStrictEqual(badRequest(["there are too many parameters: at most 50"]));
      }
    }
  });

  test("where the operation takes none", async () => {
    expect((await service.get("/v1/things/1?a=1")).body).toStrictEqual(badRequest(["a is not a known parameter"]));
    expect((await service.get("/v1/things/1?")).status).toBe(200);
  });
});

test("a query is decoded as forms encode it, and defaults are filled in", async () => {
  expect((await service.get("/v1/things?colour=a+b%2Bc&&")).body.query).toStrictEqual({ colour: "a b+c", limit: 2 });
  expect((await service.get("/v1/things")).body.query).toStrictEqual({ limit: 2 });
});

describe("a path", () => {
  test("with a malformed escape is refused", async () => {
    const answer = await service.get("/v1/things/%zz");
    expect(answer.body).toStrictEqual(badRequest(["the path is not valid percent-encoded UTF-8"]));
    expect(answer.status).toBe(400);
  });

  test.each(["a".repeat(201), "a%00b", "a%0ab", "%7f"])("with an impossible id finds nothing", async (id) => {
    const answer = await service.get(`/v1/things/${id}`);
    expect(answer.body).toStrictEqual({
      statusCode: 404,
      message: "There is no flight with this id.",
      error: "Not Found",
    });
    expect(answer.status).toBe(404);
  });

  test("with an unusual id reaches the handler", async () => {
    expect((await service.get("/v1/things/a%2Fb%20%C3%A4")).body.params).toStrictEqual({ id: "a/b ä" });
  });
});

test("a command without a body of its own takes none, or an empty object", async () => {
  const answerTo = async (body: string) => (await service.send("DELETE", "/v1/things/1", { body })).body;
  expect(await answerTo('{"a":')).toStrictEqual(badRequest(["body is not valid JSON: line 1, column 6"]));
  expect(await answerTo('{"a":1}')).toStrictEqual(badRequest(["a is not a known field"]));
  for (const body of ["", "{}"]) {
    expect((await service.send("DELETE", "/v1/things/1", { body })).status).toBe(200);
  }
});

test("a body that comes with a question is ignored", async () => {
  const head = `GET /v1/things HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${service.key.apiKey}\r\nConnection: close`;
  expect(await sendRaw(service.port, `${head}\r\nContent-Length: 5\r\n\r\n{"a":`)).toMatch(/^HTTP\/1.1 200 /);
});

describe("headers", () => {
  const ask = (headers: string) =>
    sendRaw(
      service.port,
      `GET /v1/things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nx-api-key: ${service.key.apiKey}\r\n${headers}\r\n`,
    );
  const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));

  test.each([
    ["Idempotency-Key: a\r\nidempotency-key: a\r\n", ["idempotency-key is given more than once"]],
    ["X-Request-Id: a\r\nX-Request-Id: b\r\n", ["x-request-id is given more than once"]],
    ["Content-Type: a/b\r\nContent-Type: a/b\r\n", ["content-type is given more than once"]],
    [`x-api-key: ${"k".repeat(42)}\r\n`, ["x-api-key or Authorization must be sent, one of them and once"]],
    [
      "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n",
      ["x-api-key or Authorization must be sent, one of them and once"],
    ],
    [`X-Request-Id: ${"a".repeat(4_097)}\r\n`, ["X-Request-Id must have at most 4096 characters"]],
    [`If-None-Match: ${"a".repeat(4_097)}\r\n`, ["If-None-Match must have at most 4096 characters"]],
  ])("that can't be read are refused: %.50s", async (headers, problems) => {
    expect(bodyOf(await ask(headers))).toStrictEqual(badRequest(problems));
  });

  test("of the greatest lengths fit into one head; a list may come in several", async () => {
    const greatest = `X-Request-Id: ${"a".repeat(4_096)}\r\nIf-None-Match: ${"a".repeat(2_000)}\r\nIf-None-Match: ${"a".repeat(2_000)}\r\n`;
    expect(await ask(greatest)).toMatch(/^HTTP\/1.1 200 /);
  });
});
