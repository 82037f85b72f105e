import { afterEach, expect, test } from "@jest/globals";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { type Service, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service?.stop());

const DONE: ApiResponse = { status: 200, json: "{}" };

/** Two requests may be worked on at once; `get` waits idly until `go`, or is worked on until then where told so. */
async function withWaits() {
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const arrivals: (() => void)[] = [];
  const handler = (wait: (request: ApiRequest) => Promise<void>) => async (request: ApiRequest) => {
    for (const arrived of arrivals.splice(0)) arrived();
    await wait(request);
    return DONE;
  };
  service = await startService({
    maxInFlight: 2,
    handlers: {
      searchThings: handler((request) => request.waitUncounted(go)),
      getThing: handler(() => go),
      listThings: () => DONE,
    },
  });
  const arrival = () => new Promise<void>((arrived) => arrivals.push(arrived));
  return { arrival, go: resolve };
}

test("a request that waits idly takes nobody's place, and takes its own again", async () => {
  const { arrival, go } = await withWaits();
  const waiting: Promise<{ status: number }>[] = [];
  for (let count = 0; count < 5; count += 1) {
    const arrived = arrival();
    waiting.push(service.get("/v1/things/search"));
    await arrived;
  }
  expect((await service.get("/v1/things")).status).toBe(200);
  for (let count = 0; count < 2; count += 1) {
    const arrived = arrival();
    waiting.push(service.get("/v1/things/1"));
    await arrived;
  }
  expect((await service.get("/v1/things")).status).toBe(503);
  go();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toStrictEqual(new Array(7).fill(200));
  expect((await service.get("/v1/things")).status).toBe(200);
  expect((await service.get("/metrics")).text).toMatch(/^http_requests_in_flight\{service="query"\} 0$/m);
});

test.each<[string, (key: Service["key"]) => void, number]>([
  [
    "revoked",
    (key) => {
      key.credentialActive = false;
    },
    401,
  ],
  [
    "of a suspended account",
    (key) => {
      key.accountActive = false;
    },
    403,
  ],
  [
    "without the scope any more",
    (key) => {
      key.scopes = new Set();
    },
    403,
  ],
])("who waits with a credential that is %s meanwhile is refused", async (_, change, status) => {
  const { arrival, go } = await withWaits();
  const arrived = arrival();
  const waiting = service.get("/v1/things/search");
  await arrived;
  change(service.key);
  go();
  const answer = await waiting;
  expect([answer.status, answer.body.statusCode]).toStrictEqual([status, status]);
});
