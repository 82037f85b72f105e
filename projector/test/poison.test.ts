import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { positionSort } from "@travel-booking/engines/read-store";
import { ProjectorRefusal } from "@travel-booking/read-models/control";
import type { Projection } from "../src/index.ts";
import { fleet, type Ship, waiting } from "./kit/example-projections.ts";
import { bodyOf, Harness, keysOf, LONG_TIMEOUT_MS } from "./kit/harness.ts";

let harness: Harness;
beforeEach(() => {
  harness = new Harness();
});
afterEach(() => harness.close());

/** Records an event that `fleet` can't handle among others; returns its position and the last one. */
async function recordPoison(type: string, name: string): Promise<{ poison: bigint; last: bigint }> {
  const { log } = harness;
  await log.record("ship-a", "Boarded", "ann");
  const poison = await log.record("ship-a", type, name);
  await log.record("ship-b", "Boarded", "bob");
  return { poison, last: await log.record("ship-a", "Boarded", "cid") };
}

const POISONS = [
  ["whose handler throws halfway", "Exploded", "", "fleet: boom"],
  ["that makes a state that can't be shown", "Boarded", "unshowable", "fleet: can't be shown"],
  [
    "that makes what the store can't take",
    "Boarded",
    "long",
    "the key or a place of a document of fleet.ship can't be stored",
  ],
] as const;

/** Handles what `fleet` can't: as it is after the defect has been mended. */
const tolerantFleet: Projection = {
  ...fleet,
  models: {
    ...fleet.models,
    "fleet.ship": {
      represent: (ship: Ship, { created }) => ({
        body: JSON.stringify(ship),
        indexes: { all: { partition: "all", sort: positionSort(created) } },
      }),
    },
  },
  handlers: {
    ship: {
      ...fleet.handlers.ship!,
      apply: (event, documents) =>
        fleet.handlers.ship!.apply(event.type === "Exploded" ? { ...event, type: "Drifted" } : event, documents),
    },
  },
};

describe.each(POISONS)("an event %s", (_, type, name, message) => {
  test("stops its projection right before it; the others go on", async () => {
    const { poison, last } = await recordPoison(type, name);
    const projector = await harness.start();
    await projector.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS);
    expect(await projector.list()).toStrictEqual([
      {
        name: "fleet",
        state: "stopped",
        position: String(poison - 1n),
        lag: Number(last - poison + 1n),
        error: message,
        failedAt: { id: expect.any(String), type, stream: "ship-a", position: String(poison) },
      },
      { name: "waiting", state: "live", position: String(last), lag: 0, error: null, failedAt: null },
    ]);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann"] });
    expect(await bodyOf(harness.store, "fleet.ship", "ship-b")).toBeUndefined();
    expect(harness.problems.map(({ projection, error }) => [projection, (error as Error).message])).toStrictEqual([
      ["fleet", message],
    ]);
    const more = await harness.log.record("ship-x", "Boarded", "xen");
    expect(await projector.progress.waitUntil("waiting", more, LONG_TIMEOUT_MS)).toBe(true);
  });

  test("retried it stops the projection again; skipped, the projection continues", async () => {
    const { poison, last } = await recordPoison(type, name);
    const projector = await harness.start();
    await projector.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS);
    expect(await projector.retry("fleet")).toMatchObject({ state: "stopped", position: String(poison - 1n) });
    expect(await harness.skip(projector, "fleet")).toStrictEqual({
      name: "fleet",
      state: "live",
      position: String(last),
      lag: 0,
      error: null,
      failedAt: null,
    });
    const more = await harness.log.record("ship-a", "Boarded", "dan");
    await projector.progress.waitUntil("fleet", more, LONG_TIMEOUT_MS);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid", "dan"] });
    expect(await keysOf(harness.store, "fleet.ship", "all")).toStrictEqual(["ship-a", "ship-b"]);
  });

  test("a rebuild fails at it, the live generation stays live, and the new one is dropped", async () => {
    const { last } = await recordPoison(type, name);
    const projector = await harness.start();
    await projector.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS);
    await expect(projector.rebuild("fleet")).rejects.toThrow(message);
    expect(await harness.store.generations("fleet")).toStrictEqual([{ generation: 1, version: 1, live: true }]);
    await harness.skip(projector, "fleet");
    expect(await projector.rebuild("fleet")).toMatchObject({ name: "fleet" });
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid"] });
  });

  test("skipped once it is left out of every rebuild, after a restart and in another version, too", async () => {
    const { last } = await recordPoison(type, name);
    const before = await harness.start();
    await before.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS);
    await harness.skip(before, "fleet");
    const rebuilt = { name: "fleet", events: 4, seconds: expect.any(Number) };
    expect(await before.rebuild("fleet")).toStrictEqual(rebuilt);
    await before.stop();
    const again = await harness.start();
    expect(await again.rebuild("fleet")).toStrictEqual(rebuilt);
    await again.stop();
    const raised = await harness.start([{ ...fleet, version: 2 }, waiting]);
    expect(await raised.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS)).toBe(true);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid"] });
    expect((await raised.list())[0]).toMatchObject({ state: "live", error: null, failedAt: null });
    // It was reported once, when it stopped the projection.
    expect(harness.problems).toHaveLength(1);
  });

  test("skipped while a rebuild has not met it yet, it is left out of that", async () => {
    const { poison, last } = await recordPoison(type, name);
    const projector = await harness.start();
    await projector.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS);
    const before = await harness.skippedEvents.of("fleet");
    const rebuilding = projector.rebuild("fleet", ({ position }) => {
      if (position === 0) void harness.skip(projector, "fleet").catch(() => undefined);
    });
    expect(await rebuilding).toMatchObject({ name: "fleet" });
    expect(before).toStrictEqual([]);
    expect(await harness.skippedEvents.of("fleet")).toMatchObject([{ type, stream: "ship-a", position: `${poison}` }]);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid"] });
  });

  test("that ends a rebuild of a live projection is named, and left out of the next once it is skipped", async () => {
    const { poison, last } = await recordPoison(type, name);
    const tolerant = await harness.start([tolerantFleet, waiting]);
    await tolerant.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS);
    await tolerant.stop();
    const projector = await harness.start();
    await expect(projector.rebuild("fleet")).rejects.toThrow(
      `${message}, at the event ${type} of ship-a, position ${poison}; skip it`,
    );
    expect(await harness.skip(projector, "fleet")).toMatchObject({
      state: "live",
      error: null,
      failedAt: { id: expect.any(String), type, stream: "ship-a", position: String(poison) },
    });
    expect(await projector.rebuild("fleet")).toMatchObject({ name: "fleet" });
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid"] });
    await expect(harness.skip(projector, "fleet")).rejects.toMatchObject({ code: "not_stopped" });
  });

  test("skipped, then mended, is taken in by the next rebuild", async () => {
    const { last } = await recordPoison(type, name);
    const before = await harness.start();
    await before.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS);
    await harness.skip(before, "fleet");
    await before.stop();
    const mended = await harness.start([{ ...tolerantFleet, version: 2 }, waiting]);
    await mended.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS);
    expect(await keysOf(harness.store, "fleet.log", "byShip", "ship-a")).toHaveLength(3);
  });
});

test("while the state store is out of reach, a projection waits at the event and goes on by itself afterwards", async () => {
  const { last } = await recordPoison("Exploded", "");
  let failures = 3;
  const has = async () => {
    if (failures-- > 0) throw new Error("the state store is out of reach");
    return true;
  };
  const projector = await harness.start([fleet, waiting], { skippedEvents: { has } });
  expect(await projector.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS)).toBe(true);
  expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid"] });
  expect((await projector.list()).map(({ state }) => state)).toStrictEqual(["live", "live"]);
});

test("a projection that is not stopped, or unknown, is refused", async () => {
  const projector = await harness.start();
  for (const [attempt, code] of [
    [projector.retry("fleet"), "not_stopped"],
    [harness.skip(projector, "fleet"), "not_stopped"],
    [projector.retry("none"), "unknown_projection"],
    [projector.rebuild("none"), "unknown_projection"],
  ] as const) {
    const error = await attempt.catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(ProjectorRefusal);
    expect((error as ProjectorRefusal).code).toBe(code);
  }
});
