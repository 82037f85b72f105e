import { afterEach, expect, test } from "@jest/globals";
import { type Service, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service?.stop());

/** Projections that get where the test says. */
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

test("a read waits until every projection it rests on shows what its credential wrote", async () => {
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

test("other credentials, other reads and projections that are there wait for nothing", async () => {
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
