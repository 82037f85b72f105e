import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Operation, operations } from "@travel-booking/api-contract";
import { BEHIND_PROXY, REQUEST_ID, withoutUnsendable } from "../kit/behind-proxy.ts";
import { type Client, expectStatus, newKey } from "../kit/client.ts";
import { expectProblems } from "../kit/problems.ts";
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
  test("400 for a parameter that it does not have", async () => {
    expectProblems(await send(operation, `${pathOf(operation)}?x=1`), ["x is not a known parameter"]);
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

describe("query parameters", () => {
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
