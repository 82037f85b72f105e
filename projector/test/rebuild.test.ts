import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { RebuildProgress } from "@travel-booking/read-models/control";
import type { Projection } from "../src/index.ts";
import { fleet, waiting } from "./kit/example-projections.ts";
import { bodyOf, dumpOf, Harness, LONG_TIMEOUT_MS } from "./kit/harness.ts";
import { withOverrides } from "./kit/with-overrides.ts";

let harness: Harness;
beforeEach(() => {
  harness = new Harness();
});
afterEach(() => harness.close());

async function record(events: number): Promise<bigint> {
  for (let count = 1; count < events; count++) await harness.log.record(`ship-${count % 7}`, "Boarded", `p${count}`);
  return harness.log.record("ship-0", "Departed");
}

/** The same models with other bodies. */
const fleetOfVersion2: Projection = {
  ...fleet,
  version: 2,
  models: {
    ...fleet.models,
    "fleet.ship": {
      represent: (state, place) => ({ ...fleet.models["fleet.ship"]!.represent!(state, place), body: '{"version":2}' }),
    },
  },
};

function generationsGone(kept: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = async () => {
      const known = await harness.store.generations("fleet");
      if (known.length === 1 && known[0]?.generation === kept) resolve();
      else setImmediate(() => void look().catch(reject));
    };
    void look().catch(reject);
  });
}

describe("a rebuild", () => {
  test("of an intact projection changes nothing, and the old generation is dropped", async () => {
    const projector = await harness.start();
    await projector.progress.waitUntil("fleet", await record(100), LONG_TIMEOUT_MS);
    const before = await dumpOf(harness.store);
    const result = await projector.rebuild("fleet");
    expect(result).toStrictEqual({ name: "fleet", events: 100, seconds: expect.any(Number) });
    expect(await dumpOf(harness.store)).toStrictEqual(before);
    await generationsGone(2);
    expect(await dumpOf(harness.store)).toStrictEqual(before);
  });

  test("restores lost documents", async () => {
    const projector = await harness.start();
    const last = await record(10);
    await projector.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS);
    const right = await dumpOf(harness.store);
    const wrong = last + 1n;
    const document = { ...(await harness.store.document("fleet.ship", "ship-0"))!, position: wrong, body: '"wrong"' };
    await harness.store.write([
      {
        projection: "fleet",
        generation: 1,
        checkpoint: wrong,
        writes: [{ kind: "put", model: "fleet.ship", document }],
      },
    ]);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-0")).toBe("wrong");
    await projector.rebuild("fleet");
    expect(await dumpOf(harness.store)).toStrictEqual(right);
  });

  test("runs beside the live generation, which stays up to date; so does the new one after the switch", async () => {
    const projector = await harness.start();
    await projector.progress.waitUntil("fleet", await record(50), LONG_TIMEOUT_MS);
    const seen: bigint[] = [];
    const { switchLive } = harness.store;
    harness.store.switchLive = async (generation) => {
      // While the new generation is complete but not live yet.
      seen.push((await harness.store.checkpoint({ projection: "fleet", generation: 1 })).position);
      seen.push((await harness.store.checkpoint(generation)).position);
      await switchLive.call(harness.store, generation);
    };
    const [result, last] = await Promise.all([projector.rebuild("fleet"), record(50)]);
    harness.store.switchLive = switchLive;
    expect(result.events).toBeGreaterThanOrEqual(50);
    expect(seen[1]).toBeGreaterThanOrEqual(seen[0]!);
    expect(await projector.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS)).toBe(true);
    const after = await harness.log.record("ship-0", "Boarded", "late");
    await projector.progress.waitUntil("fleet", after, LONG_TIMEOUT_MS);
    const before = await dumpOf(harness.store);
    await projector.rebuild("fleet");
    expect(await dumpOf(harness.store)).toStrictEqual(before);
  });

  test("never shows an older state than before", async () => {
    const projector = await harness.start();
    let highest = await record(20);
    await projector.progress.waitUntil("fleet", highest, LONG_TIMEOUT_MS);
    let rebuilding = true;
    const rebuilds = (async () => {
      for (let count = 0; count < 5; count++) await projector.rebuild("fleet");
      rebuilding = false;
    })();
    let older = 0;
    while (rebuilding) {
      const position = await harness.log.record("ship-0", "Boarded", "x");
      await projector.progress.waitUntil("fleet", position, LONG_TIMEOUT_MS);
      const { position: shown = 0n } = (await harness.store.document("fleet.ship", "ship-0")) ?? {};
      if (shown < position || shown < highest) older++;
      highest = shown;
    }
    await rebuilds;
    expect(older).toBe(0);
  });

  test("reports its progress", async () => {
    const projector = await harness.start();
    const last = await record(100);
    const told: RebuildProgress[] = [];
    await projector.rebuild("fleet", (progress) => told.push(progress));
    expect(told[0]).toStrictEqual({ position: 0, head: Number(last), rate: 0, secondsLeft: null });
    expect(told.at(-1)).toStrictEqual({
      position: Number(last),
      head: Number(last),
      rate: expect.any(Number),
      secondsLeft: 0,
    });
  });

  test("of an empty log", async () => {
    const projector = await harness.start();
    expect(await projector.rebuild("waiting")).toMatchObject({ name: "waiting", events: 0 });
    expect(await projector.progress.waitUntil("waiting", await record(2), LONG_TIMEOUT_MS)).toBe(true);
  });

  test("is listed while it runs, and a second one is refused", async () => {
    const projector = await harness.start();
    await record(10);
    const rebuilding = projector.rebuild("fleet");
    expect((await projector.list()).map(({ state }) => state)).toStrictEqual(["rebuilding", "live"]);
    await expect(projector.rebuild("fleet")).rejects.toMatchObject({ code: "rebuild_under_way" });
    await rebuilding;
    expect((await projector.list()).map(({ state }) => state)).toStrictEqual(["live", "live"]);
  });

  test("resumes a stopped projection", async () => {
    const last = await harness.log.record("ship-a", "Exploded");
    const projector = await harness.start([fleet, waiting]);
    await projector.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS);
    expect((await projector.list())[0]?.state).toBe("stopped");
    await expect(projector.rebuild("fleet")).rejects.toThrow("fleet: boom");
    expect((await projector.list())[0]?.state).toBe("stopped");
  });

  test("that fails while nothing can be written or dropped may be tried again", async () => {
    let isAway = true;
    const away = async (isMeant: boolean) => {
      if (isAway && isMeant) throw new Error("out of reach");
    };
    const readStore = withOverrides(harness.store, {
      write: async (batches) => {
        await away(batches.some(({ generation }) => generation > 1));
        await harness.store.write(batches);
      },
      drop: async (generation, signal) => {
        await away(true);
        await harness.store.drop(generation, signal);
      },
    });
    const projector = await harness.start([fleet, waiting], { readStore });
    await projector.progress.waitUntil("fleet", await record(10), LONG_TIMEOUT_MS);
    await expect(projector.rebuild("fleet")).rejects.toThrow("out of reach");
    isAway = false;
    expect(await projector.rebuild("fleet")).toMatchObject({ name: "fleet", events: 10 });
  });

  test("that the end of the process interrupted leaves nothing behind", async () => {
    const first = await harness.start();
    await first.progress.waitUntil("fleet", await record(10), LONG_TIMEOUT_MS);
    await first.stop();
    const before = await dumpOf(harness.store);
    const cutOff = await harness.store.create("fleet", 1);
    const document = (await harness.store.document("fleet.ship", "ship-0"))!;
    await harness.store.write([
      { ...cutOff, checkpoint: document.position, writes: [{ kind: "put", model: "fleet.ship", document }] },
    ]);
    await harness.start();
    await generationsGone(1);
    expect(await dumpOf(harness.store)).toStrictEqual(before);
  });
});

describe("a new version of a projection", () => {
  test("is built at the start, beside the old generation, which has no position any more", async () => {
    const first = await harness.start();
    const last = await record(10);
    await first.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS);
    await first.stop();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const readStore = withOverrides(harness.store, {
      async switchLive(generation) {
        await released;
        await harness.store.switchLive(generation);
      },
    });
    const second = await harness.start([fleetOfVersion2, waiting], { readStore });
    expect(await bodyOf(harness.store, "fleet.ship", "ship-0")).toMatchObject({ departed: true });
    expect((await second.list())[0]).toStrictEqual({
      name: "fleet",
      state: "rebuilding",
      position: "0",
      lag: Number(last),
      error: null,
      failedAt: null,
    });
    const more = await harness.log.record("ship-0", "Boarded", "late");
    release();
    expect(await second.progress.waitUntil("fleet", more, LONG_TIMEOUT_MS)).toBe(true);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-0")).toStrictEqual({ version: 2 });
    await generationsGone(2);
    expect(await harness.store.generations("fleet")).toStrictEqual([{ generation: 2, version: 2, live: true }]);
    await second.stop();
    const third = await harness.start([fleetOfVersion2, waiting]);
    expect((await third.list())[0]?.state).toBe("live");
    expect(await harness.store.generations("fleet")).toStrictEqual([{ generation: 2, version: 2, live: true }]);
  });

  test("that meets a poison event is stopped while the old generation stays live; skipped, it continues", async () => {
    const first = await harness.start([fleet]);
    await harness.log.record("ship-a", "Boarded", "ann");
    await harness.log.record("ship-a", "Exploded");
    await harness.until(() => harness.problems.length === 1);
    await first.stop();
    const second = await harness.start([fleetOfVersion2]);
    await harness.until(() => harness.problems.length === 2);
    expect((await second.list())[0]).toMatchObject({ state: "stopped", error: "fleet: boom" });
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann"] });
    expect(await harness.skip(second, "fleet")).toMatchObject({ state: "live", error: null });
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toStrictEqual({ version: 2 });
  });

  test("is built although the log fails at first", async () => {
    const first = await harness.start([fleet]);
    await first.progress.waitUntil("fleet", await record(10), LONG_TIMEOUT_MS);
    await first.stop();
    harness.log.failure = new Error("connection lost");
    const second = await harness.start([fleetOfVersion2]);
    const last = await record(2).catch(() => harness.log.head());
    await harness.until(() => harness.problems.length >= 4);
    harness.log.failure = undefined;
    expect(await second.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS)).toBe(true);
    await harness.log
      .record("ship-1", "Boarded", "z")
      .then((position) => second.progress.waitUntil("fleet", position, LONG_TIMEOUT_MS));
    expect(await bodyOf(harness.store, "fleet.ship", "ship-1")).toStrictEqual({ version: 2 });
  });
});
