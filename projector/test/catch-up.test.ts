import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Projection } from "../src/index.ts";
import { berths, fleet, waiting } from "./kit/example-projections.ts";
import { bodyOf, dumpOf, Harness, keysOf, LONG_TIMEOUT_MS } from "./kit/harness.ts";
import { withOverrides } from "./kit/with-overrides.ts";

const ALL = [fleet, waiting, berths];

let harness: Harness;
beforeEach(() => {
  harness = new Harness();
});
afterEach(() => harness.close());

async function record(ships: number): Promise<bigint> {
  let last = 0n;
  for (let ship = 0; ship < ships; ship++) last = await harness.log.record(`ship-${ship}`, "Boarded", "ann");
  return last;
}

/** Another version of the same projections. */
const raised = (projections: readonly Projection[]) => projections.map((one) => ({ ...one, version: 2 }));

async function projected(projections: readonly Projection[], last: bigint): Promise<void> {
  const projector = await harness.start(projections);
  for (const { name } of projections) await projector.progress.waitUntil(name, last, LONG_TIMEOUT_MS);
  await projector.stop();
}

describe("projections that are behind", () => {
  test("together read the log once", async () => {
    await projected([waiting], await record(100));
    const read = harness.log.subscriptions;
    const projector = await harness.start(ALL);
    const last = await harness.log.head();
    for (const { name } of ALL) await projector.progress.waitUntil(name, last, LONG_TIMEOUT_MS);
    // The live group has one of its own.
    expect(harness.log.subscriptions - read).toBe(2);
  });

  test("in another version are built from one reading of the log, each as by itself", async () => {
    await projected(ALL, await record(100));
    const before = await dumpOf(harness.store);
    const read = harness.log.subscriptions;
    const projector = await harness.start(raised(ALL));
    while ((await projector.list()).some(({ state }) => state === "rebuilding")) await new Promise(setImmediate);
    expect(harness.log.subscriptions - read).toBe(2);
    expect(await dumpOf(harness.store)).toStrictEqual(before);
    for (const { name } of ALL) {
      const live = (await harness.store.generations(name)).filter((one) => one.live);
      expect(live).toStrictEqual([{ generation: 2, version: 2, live: true }]);
    }
  });

  test("a poison event stops its own alone; the others are built", async () => {
    const first = await harness.start(ALL);
    await record(3);
    await harness.log.record("ship-1", "Exploded");
    await harness.until(() => harness.problems.length === 2);
    await harness.skip(first, "berths");
    await first.stop();
    const second = await harness.start(raised(ALL));
    while ((await second.list()).some(({ state }) => state === "rebuilding")) await new Promise(setImmediate);
    expect((await second.list()).map(({ name, state }) => [name, state])).toStrictEqual([
      ["fleet", "stopped"],
      ["waiting", "live"],
      ["berths", "live"],
    ]);
    expect(await harness.store.generations("fleet")).toMatchObject([{ generation: 1, live: true }]);
    expect(await keysOf(harness.store, "berths.berth", "all")).toHaveLength(3);
    const more = await harness.log.record("ship-9", "Boarded", "zoe");
    for (const name of ["waiting", "berths"]) await second.progress.waitUntil(name, more, LONG_TIMEOUT_MS);
    expect(await keysOf(harness.store, "berths.berth", "all")).toHaveLength(4);
  });
});

test(
  "catching up and a rebuild write no larger batches with 50,000 events than with 10,000",
  async () => {
    const largest: number[][] = [];
    for (const events of [10_000, 50_000]) {
      const own = new Harness();
      for (let count = 0; count < events; count++) await own.log.record(`ship-${count}`, "Boarded");
      const sizes: number[] = [];
      const readStore = withOverrides(own.store, {
        async write(batches) {
          sizes.push(batches.reduce((sum, { writes }) => sum + writes.length, 0));
          await own.store.write(batches);
        },
      });
      const projector = await own.start([waiting], { readStore });
      await projector.progress.waitUntil("waiting", await own.log.head(), LONG_TIMEOUT_MS);
      const caughtUp = sizes.splice(0);
      await projector.rebuild("waiting");
      largest.push([Math.max(...caughtUp), Math.max(...sizes)]);
      await own.close();
    }
    expect(largest[1]).toStrictEqual(largest[0]);
    expect(Math.max(...largest.flat())).toBeLessThan(5_000);
  },
  LONG_TIMEOUT_MS,
);

test("catching up holds few large documents at once, however often they are used", async () => {
  const CHARACTERS = 1_000_000;
  const SHIPS = 60;
  const ballast = (version: number): Projection => {
    const model = "ballast.ship";
    const key = ({ stream }: { stream: string }) => ({ model, key: stream });
    return {
      name: "ballast",
      version,
      models: { [model]: { represent: (visits) => ({ body: JSON.stringify([visits, "x".repeat(CHARACTERS)]) }) } },
      handlers: {
        ship: {
          reads: (event) => [key(event)],
          apply: (event, documents) => {
            return [{ kind: "put", ...key(event), state: (documents.state<number>(model, event.stream) ?? 0) + 1 }];
          },
        },
      },
    };
  };
  const written: number[] = [];
  const read: number[] = [];
  const readStore = withOverrides(harness.store, {
    async write(batches) {
      written.push(batches.reduce((sum, { writes }) => sum + writes.length, 0));
      await harness.store.write(batches);
    },
    async documentsOf(generation, model, keys) {
      const found = await harness.store.documentsOf(generation, model, keys);
      read.push(found.filter((one) => one !== undefined).length);
      return found;
    },
  });
  const first = await harness.start([ballast(1)], { readStore });
  await first.progress.waitUntil("ballast", await record(SHIPS), LONG_TIMEOUT_MS);
  await first.stop();
  written.length = 0;
  for (let round = 0; round < 3; round++) await record(SHIPS);
  const second = await harness.start([ballast(1)], { readStore });
  const last = await harness.log.head();
  await second.progress.waitUntil("ballast", last, LONG_TIMEOUT_MS);
  expect(await bodyOf(harness.store, "ballast.ship", "ship-0")).toStrictEqual([4, expect.any(String)]);
  expect(Math.max(...written)).toBeLessThanOrEqual(21);
  expect(Math.max(...read)).toBeLessThanOrEqual(5);
});
