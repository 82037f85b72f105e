import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Operation, operations } from "@travel-booking/api-contract";
import { retryDuringElections } from "../../support/retry-while-stale.ts";
import { BEHIND_PROXY, REQUEST_ID, withoutUnsendable } from "../kit/behind-proxy.ts";
import { type Client, expectStatus, newKey } from "../kit/client.ts";
import { expectProblems, messageOf } from "../kit/problems.ts";
import { neededHeaders, SAMPLES } from "../kit/request-samples.ts";
import { sendRaw } from "../kit/send-raw.ts";
import { MULTIPART, multipartOf } from "../kit/upload.ts";
import { openWorld, type World } from "../kit/world.ts";

let world: World;
let alice: Client;
let apiKey = "";
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 60 }] });
  ({ alice } = world);
  ({ apiKey } = await world.service.newApiKey());
});
afterAll(() => world.discard());

const guarded = operations.filter(({ scope }) => scope !== null);
const pathOf = (operation: Operation, id = "none") => operation.path.replaceAll(/\{\w+\}/g, id);
const named = (list: readonly Operation[]) =>
  list.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

/** Right but for what the test adds. */
function send(operation: Operation, path: string) {
  const body = SAMPLES.find((sample) => sample.operation.id === operation.id)?.body;
  const headers = neededHeaders(operation);
  if ("bodyType" in operation && operation.bodyType === "multipart") {
    const file = multipartOf({ fileName: "a.pdf", contentType: "application/pdf", content: "%PDF-1.4" });
    return alice.send(operation.method, path, { body: file, headers: { ...headers, "content-type": MULTIPART } });
  }
  return alice.send(operation.method, path, { ...(body && { body }), headers });
}

describe.each(named(guarded))("%s", (_name, operation) => {
  test.each<[string, string[]]>([
    ["x=1", ["x is not a known parameter"]],
    ["x=1&x=2", ["x is given more than once", "x is not a known parameter"]],
    ["__proto__=1", ["__proto__ is not a known parameter"]],
    ["constructor=1&toString=2", ["constructor is not a known parameter", "toString is not a known parameter"]],
    ["x[$gt]=", ['["x[$gt]"] is not a known parameter']],
    ["x=%00", ['"x" must not contain NUL characters']],
    ["x=%ED%A0%80", ['"x" is not valid percent-encoded UTF-8']],
    ["%ff=1", ["a parameter's name is not valid percent-encoded UTF-8"]],
    ["=1", ['[""] is not a known parameter']],
  ])("400 for ?%s", async (query, problems) => {
    const answer = await send(operation, `${pathOf(operation)}?${query}`);
    expect(answer.status).toBe(400);
    expect([...messageOf(answer)].map(withoutBrackets)).toStrictEqual(problems.map(withoutBrackets));
  });

  if (operation.path.includes("{")) {
    test("no strange id is ever there", async () => {
      const odd = [
        "x".repeat(201),
        "x".repeat(8_000),
        "%00",
        "%0a",
        "a%2Fb",
        "%2e%2e%2f",
        "%F0%9F%9A%80",
        "%20",
        "__proto__",
        "constructor",
        "$where",
        "*",
        "null",
        "undefined",
        "%25",
        "';--",
      ];
      for (const id of withoutUnsendable(odd)) {
        const answer = await send(operation, pathOf(operation, id));
        expect([id.slice(0, 20), answer.status]).toStrictEqual([id.slice(0, 20), 404]);
      }
    });

    test("400 for an id that is no UTF-8", async () => {
      for (const id of ["%zz", "%", "%ff", "%ED%A0%80", "%C0%AF"]) {
        const answer = await send(operation, pathOf(operation, id));
        const byProxy = BEHIND_PROXY && id.startsWith("%") && !/^(?:%[0-9a-f]{2})+$/i.test(id);
        const problem = byProxy ? "the request is not well-formed HTTP" : "the path is not valid percent-encoded UTF-8";
        expectProblems(answer, [problem]);
      }
    });
  }
});

/** Names that are no identifiers may be written with or without brackets. */
function withoutBrackets(problem: string): string {
  return problem.replace(/^\["(.*)"\]/, "$1");
}

describe.each(named(operations))("methods of %s", (_name, { path: template }) => {
  const path = pathOf({ path: template } as Operation);
  const there = new Set<string>(
    operations.filter((operation) => operation.path === template).map(({ method }) => method),
  );
  if (there.has("GET")) there.add("HEAD");
  // A more general template may take the same path.
  if (template === "/v1/flights/search") for (const method of ["GET", "HEAD"]) there.add(method);

  test("405 with Allow for every other one", async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY"]) {
      if (there.has(method)) continue;
      const answer = await alice.send(method, path);
      expect([method, answer.status, answer.headers.get("allow")]).toStrictEqual([
        method,
        405,
        [...there].sort().join(", "),
      ]);
      if (method !== "OPTIONS") continue;
      expect((await world.anonymous.send(method, path, { headers: { origin: "https://example.com" } })).status).toBe(
        405,
      );
    }
    const head = ["TRACE", path].join(" ");
    const trace = await sendRaw(
      alice.baseUrl,
      `${head} HTTP/1.1\r\nHost: x\r\nx-secret: 1\r\nConnection: close\r\n\r\n`,
    );
    expect([trace.status, trace.body.includes("x-secret")]).toStrictEqual([405, false]);
  });
});

test("HEAD is answered as GET is, without the body", async () => {
  const { id } = await alice.newBooking("F");
  const { id: paymentId } = expectStatus(201, await alice.pay(id));
  const paths = [
    "/v1/destinations",
    "/v1/destinations/proxima-b",
    "/v1/flights",
    "/v1/flights/F",
    "/v1/flights/search",
    "/v1/flights/F/seat-map",
    "/v1/bookings",
    `/v1/bookings/${id}`,
    `/v1/bookings/${id}/history`,
    `/v1/payments/${paymentId}`,
    "/v1/flights/none",
    "/v1/flights?limit=0",
  ];
  for (const path of paths) {
    const [get, head] = [await alice.get(path), await alice.send("HEAD", path)];
    expect([path, head.status, head.text]).toStrictEqual([path, get.status, ""]);
    for (const name of ["content-length", "content-type", "etag", "deprecation"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  }
});

describe("paths that are nobody's", () => {
  test.each([
    "/v1",
    "/v1/",
    "/v2/flights",
    "/V1/flights",
    "/v1/Flights",
    "/v1/flights/",
    "//v1/flights",
    "/v1//flights",
    "/v1/flights/F/",
    "/v1/flights/F/seat-map/x",
    "/v1/bookings/x/payments/y",
    "/health",
    "/health/",
    "/metrics",
    "/favicon.ico",
    "/.env",
    "/v1/oauth",
    "/operator/accounts",
    "/v1/flights%2FF",
    "/%76%31/flights/F/x",
  ])("404: %s", async (path) => {
    for (const client of [alice, world.anonymous]) {
      const answer = await client.get(path);
      expect([answer.status, messageOf(answer)]).toStrictEqual([404, "There is nothing at this path."]);
    }
  });
});

describe("query parameters", () => {
  const DATE = "a date of the form YYYY-MM-DD";
  test.each<[string, string[]]>([
    ["/v1/flights?departsAfter=2026-02-30", ["departsAfter is not a day of the calendar"]],
    ["/v1/flights?departsAfter=2027-1-1", [`departsAfter must be ${DATE}`]],
    ["/v1/flights?departsAfter=99999-01-01", [`departsAfter must be ${DATE}`]],
    ["/v1/flights?departsAfter=%2B012027-01-01", [`departsAfter must be ${DATE}`]],
    ["/v1/flights?departsAfter=2027-01-01T00:00:00Z", [`departsAfter must be ${DATE}`]],
    ["/v1/flights?departsAfter=", [`departsAfter must be ${DATE}`]],
    ["/v1/flights?departsAfter=0", [`departsAfter must be ${DATE}`]],
    ["/v1/flights?departsAfter=-000001-01-01", [`departsAfter must be ${DATE}`]],
    ["/v1/flights/search?date=1e308", [`date must be ${DATE}`]],
    ["/v1/flights/search?date=2027-02-29", ["date is not a day of the calendar"]],
    ["/v1/flights?destinationId=", ["destinationId must not be blank"]],
    ["/v1/flights?destinationId=a&destinationId=b", ["destinationId is given more than once"]],
    [`/v1/flights?destinationId=${"x".repeat(256)}`, ["destinationId must have at most 255 characters"]],
    ["/v1/flights?destinationId[]=a", ["destinationId[] is not a known parameter; did you mean destinationId?"]],
    [
      "/v1/destinations?climate=mild",
      ["climate must be one of temperate, tropical, arid, continental, polar, oceanic, volcanic, gaseous"],
    ],
    ["/v1/destinations?climate=arid&climate=polar", ["climate is given more than once"]],
    [
      "/v1/flights?limit=1000&departsAfter=x&colour=blue",
      [`departsAfter must be ${DATE}`, "limit must be a whole number from 1 to 100", "colour is not a known parameter"],
    ],
  ])("400: %s", async (path, problems) => {
    const answer = await alice.get(path);
    expect([answer.status, [...messageOf(answer)].map(withoutBrackets)]).toStrictEqual([400, problems]);
  });

  test("leap days and the ends of time are days", async () => {
    for (const date of ["2028-02-29", "0000-01-01", "0001-01-01", "9999-12-31"]) {
      expect((await alice.get(`/v1/flights?departsAfter=${date}`)).status).toBe(200);
      expect((await alice.get(`/v1/flights/search?date=${date}`)).status).toBe(200);
    }
  });

  test("problems of query, header and body are named together", async () => {
    const answer = await alice.post("/v1/bookings?x=1", { cabin: 1 }, { "idempotency-key": "k".repeat(256) });
    expectProblems(answer, [
      "x is not a known parameter",
      "Idempotency-Key must have at most 255 characters",
      "flightId is required",
      "cabin must be one of economy, premium_economy, business, first",
      "passengers is required",
    ]);
  });
});

describe("on the wire", () => {
  const request = (line: string, headers = "", body = "") =>
    `${line} HTTP/1.1\r\nHost: x\r\nx-api-key: ${apiKey}\r\nConnection: close\r\n${headers}\r\n${body}`;
  const json = "Content-Type: application/json\r\n";

  test.each<[string, () => string | Uint8Array, number[]]>([
    ["no HTTP", () => "hello\r\n\r\n", [400]],
    ["HTTP/3.0", () => "GET /v1/flights HTTP/3.0\r\n\r\n", [400, 505]],
    ["a head that never ends", () => `GET / HTTP/1.1\r\nx: ${"a".repeat(40_000)}\r\n\r\n`, [400]],
    ["two lengths", () => request("POST /v1/bookings", "Content-Length: 1\r\nContent-Length: 2\r\n"), [400]],
    [
      "a length and chunks",
      () => request("POST /v1/bookings", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"),
      [400],
    ],
    ["a negative length", () => request("POST /v1/bookings", "Content-Length: -1\r\n"), [400]],
    [
      "a broken chunk",
      () => request("POST /v1/bookings", `${json}Transfer-Encoding: chunked\r\n`, "zz\r\n{}\r\n"),
      [400],
    ],
    [
      "chunks",
      () => request("POST /v1/bookings", `${json}Transfer-Encoding: chunked\r\n`, "2\r\n{}\r\n0\r\n\r\n"),
      [400],
    ],
    ["a space in the path", () => request("GET /v1/flights/a b"), [400]],
    ["a full address", () => request("GET http://elsewhere/v1/flights"), [200, 400, 404]],
    ["an asterisk", () => request("OPTIONS *"), [400, 404, 405]],
    ["dots", () => request("GET /v1/../v1/flights"), [404]],
    ["a fragment", () => request("GET /v1/flights#x"), [200, 400, 404]],
    ["bytes in the path", () => Buffer.from(request("GET /v1/flights/\xff\xfe"), "latin1"), [400, 404]],
    ["UTF-8 in the path", () => request("GET /v1/flights/é"), [400, 404]],
    ["bytes in a query", () => Buffer.from(request("GET /v1/flights?destinationId=\xff"), "latin1"), [200, 400]],
    ["two keys", () => request("GET /v1/flights", "x-api-key: other\r\n"), [400]],
    ["a body where none belongs", () => request("GET /v1/flights", `${json}Content-Length: 2\r\n`, "{}"), [200]],
    ["an upgrade", () => request("GET /v1/flights", "Upgrade: websocket\r\n"), [200]],
    ["an expectation", () => request("GET /v1/flights", "Expect: tea\r\n"), [200]],
  ])("%s", async (_what, bytes, statuses) => {
    const answer = await retryDuringElections(() => sendRaw(alice.baseUrl, bytes()));
    expect(statuses).toContain(answer.status);
    expect(answer.head).toMatch(/\r\nX-Request-Id: [\w.-]+/i);
    expect(answer.body).not.toMatch(/\n\s+at |node_modules/);
    if (answer.status !== 200) expect(JSON.parse(answer.body)).toMatchObject({ statusCode: answer.status });
  });

  test("a client that goes away in the middle stops nothing", async () => {
    const socket = new AbortController();
    const sent = fetch(`${alice.baseUrl}/v1/bookings`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("{"));
          socket.abort();
        },
      }),
      duplex: "half",
      signal: socket.signal,
    } as RequestInit);
    await expect(sent).rejects.toThrow();
    expect((await alice.get("/v1/flights")).status).toBe(200);
  });
});

test("a request id that is sent is answered, if it is one", async () => {
  const idOf = async (sent: string) =>
    (await alice.get("/v1/flights/none", { "x-request-id": sent })).headers.get("x-request-id");
  expect(await idOf("my-request.1_A")).toBe("my-request.1_A");
  for (const odd of ["a b", "<script>", "x".repeat(129), "é"]) expect(await idOf(odd)).toMatch(REQUEST_ID);
  expect((await world.anonymous.get("/v1/flights")).headers.get("x-request-id")).toMatch(REQUEST_ID);
});

test("after all of that it works as before", async () => {
  const { id } = await alice.newBooking("F");
  expect(expectStatus(201, await alice.pay(id, {}, newKey())).status).toBe("succeeded");
});
