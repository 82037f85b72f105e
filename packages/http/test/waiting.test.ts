import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { type Service, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service?.stop());

/** Projections whose positions the test sets. */
class Progress {
  readonly positions: Record<string, bigint>;
  readonly waited: [string, bigint, number][] = [];
  readonly #reached = new Map<string, (reached: boolean) => void>();
  #onWait: () => void = () => undefined;

  constructor(positions: Record<string, bigint>) {
    this.positions = positions;
  }

  positionOf(name: string): bigint {
    return this.positions[name] ?? 0n;
  }

  waitUntil(name: string, position: bigint, timeout: number): Promise<boolean> {
    this.waited.push([name, position, timeout]);
    this.#onWait();
    return new Promise((resolve) => this.#reached.set(name, resolve));
  }

  nextWait(): Promise<void> {
    return new Promise((resolve) => {
      this.#onWait = resolve;
    });
  }

  settle(name: string, reached: boolean): void {
    this.#reached.get(name)?.(reached);
  }
}

async function start(positions: Record<string, bigint>) {
  const progress = new Progress(positions);
  service = await startService({
    progress,
    reads: { getThing: ["things", "owners"] },
    handlers: {
      makeThing: () => ({ status: 201, json: "{}", position: 12n }),
      cancelThing: () => ({ status: 200, json: "{}", position: 5n }),
    },
  });
  return progress;
}

test("a read waits until every projection it reads shows what its credential wrote", async () => {
  const progress = await start({ things: 11n, owners: 12n });
  await service.post("/v1/things", { name: "a" });
  await service.post("/v1/things/1/cancel");
  const waiting = progress.nextWait();
  const read = service.get("/v1/things/1");
  await waiting;
  expect(progress.waited).toStrictEqual([["things", 12n, 5_000]]);
  progress.settle("things", true);
  expect((await read).status).toBe(200);
});

test("a read that waited too long is 503", async () => {
  const progress = await start({ things: 0n, owners: 0n });
  await service.post("/v1/things", { name: "a" });
  const waiting = progress.nextWait();
  const read = service.get("/v1/things/1");
  await waiting;
  progress.settle("owners", true);
  progress.settle("things", false);
  const answer = await read;
  expect([answer.status, answer.headers.get("retry-after"), answer.body.error]).toStrictEqual([
    503,
    "1",
    "Service Unavailable",
  ]);
});

test("other credentials, other reads and projections that are up to date do not wait", async () => {
  const progress = await start({ things: 0n, owners: 0n });
  await service.post("/v1/things", { name: "a" });
  const other = { "x-api-key": service.directory.add().key.apiKey };
  expect((await service.get("/v1/things/1", other)).status).toBe(200);
  expect((await service.get("/v1/things")).status).toBe(200);
  progress.positions.things = 12n;
  progress.positions.owners = 13n;
  expect((await service.get("/v1/things/1")).status).toBe(200);
  expect(progress.waited).toStrictEqual([]);
});

const DONE: ApiResponse = { status: 200, json: "{}" };

/** At most two requests in flight. `searchThings` waits uncounted until `go`, `getThing` is in flight until then. */
async function withWaits() {
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const arrivals: (() => void)[] = [];
  const handler = (wait: (request: ApiRequest) => Promise<void>) => async (request: ApiRequest) => {
    for (const arrived of arrivals.splice(0)) arrived();
    await wait(request);
    return DONE;
  };
  service = await startService({
    inFlight: { alwaysTaken: 2, maxWaitMs: 0 },
    handlers: {
      searchThings: handler((request) => request.waitUncounted(go)),
      getThing: handler(() => go),
      listThings: () => DONE,
    },
  });
  const arrival = () => new Promise<void>((arrived) => arrivals.push(arrived));
  return { arrival, go: resolve };
}

test("a request that waits is not counted as in flight, and is counted again afterwards", async () => {
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
  expect((await service.metrics.render()).text).toMatch(/^http_requests_in_flight\{service="query"\} 0$/m);
});

test("a request that waits for another one with its Idempotency-Key is not counted as in flight", async () => {
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  service = await startService({
    inFlight: { alwaysTaken: 2, maxWaitMs: 0 },
    handlers: {
      makeThing: async () => {
        begin();
        await go;
        return DONE;
      },
      cancelThing: () => DONE,
    },
  });
  const make = () => service.post("/v1/things", { name: "a" }, { "idempotency-key": "same" });
  const waiting = [make()];
  await begun;
  const { get } = service.store;
  for (let count = 0; count < 5; count += 1) {
    // It looks for the answer, and waits.
    const looked = new Promise<void>((resolveLook) => {
      service.store.get = (...args) => {
        resolveLook();
        return get.apply(service.store, args) as never;
      };
    });
    waiting.push(make());
    await looked;
    await setImmediate();
  }
  expect((await service.post("/v1/things/1/cancel")).status).toBe(200);
  resolve();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toStrictEqual(new Array(6).fill(200));
  expect((await service.metrics.render()).text).toMatch(/^http_requests_in_flight\{service="command"\} 0$/m);
});

test("a command that is answered while it waits is in flight no more, also when the wait has ended", async () => {
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const { promise: over, resolve: isOver } = Promise.withResolvers<void>();
  service = await startService({
    commandTimeoutMs: 10,
    handlers: {
      makeThing: async (request) => {
        await request.waitUncounted(go);
        isOver();
        return DONE;
      },
    },
  });
  expect((await service.post("/v1/things", { name: "a" })).status).toBe(500);
  resolve();
  await over;
  const { text } = await service.metrics.render();
  expect(text.match(/(?<=^http_requests_in_flight\{.*\} ).*/gm)).toStrictEqual(["0", "0", "0"]);
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
])("a request that waited is refused if its credential is %s meanwhile", async (_, change, status) => {
  const { arrival, go } = await withWaits();
  const arrived = arrival();
  const waiting = service.get("/v1/things/search");
  await arrived;
  change(service.key);
  go();
  const answer = await waiting;
  expect([answer.status, answer.body.statusCode]).toStrictEqual([status, status]);
});
