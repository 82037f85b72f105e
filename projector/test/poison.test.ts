import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { ProjectorRefusal } from "@travel-booking/read-models/control";
import type { Projection } from "../src/index.ts";
import { fleet, waiting } from "./kit/example-projections.ts";
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
    "index all: partition and sort value are too long to be stored",
  ],
] as const;

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
      },
      { name: "waiting", state: "live", position: String(last), lag: 0, error: null },
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
    expect(await projector.skip("fleet")).toStrictEqual({
      name: "fleet",
      state: "live",
      position: String(last),
      lag: 0,
      error: null,
    });
    const more = await harness.log.record("ship-a", "Boarded", "dan");
    await projector.progress.waitUntil("fleet", more, LONG_TIMEOUT_MS);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid", "dan"] });
    expect(await keysOf(harness.store, "fleet.ship", "all")).toStrictEqual(["ship-a", "ship-b"]);
  });

  test("is skipped at once with that policy", async () => {
    const { last } = await recordPoison(type, name);
    const projector = await harness.start([fleet, waiting], { poisonPolicies: { fleet: "skip" } });
    await projector.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid"] });
    expect(harness.problems).toHaveLength(1);
    expect((await projector.list())[0]).toMatchObject({ state: "live", error: null });
  });

  test("a rebuild fails at it, the live generation stays live, and the new one is dropped", async () => {
    const { last } = await recordPoison(type, name);
    const projector = await harness.start();
    await projector.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS);
    await expect(projector.rebuild("fleet")).rejects.toThrow(message);
    expect(await harness.store.generations("fleet")).toStrictEqual([{ generation: 1, version: 1, live: true }]);
    await projector.skip("fleet");
    expect(await projector.rebuild("fleet")).toMatchObject({ name: "fleet" });
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid"] });
  });

  test("skipped before a restart it fails a rebuild, which names it; skipped again it is left out", async () => {
    const { poison, last } = await recordPoison(type, name);
    const before = await harness.start();
    await before.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS);
    await before.skip("fleet");
    await before.stop();
    const projector = await harness.start();
    await expect(projector.rebuild("fleet")).rejects.toThrow(
      `${message}, at the event ${type} of ship-a, position ${poison}; skip it`,
    );
    expect(await projector.skip("fleet")).toMatchObject({ state: "live", error: null });
    expect(await projector.rebuild("fleet")).toMatchObject({ name: "fleet" });
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid"] });
    await expect(projector.skip("fleet")).rejects.toMatchObject({ code: "not_stopped" });
  });
});

test("with the policy retry a repaired handler continues on its own", async () => {
  let broken = true;
  const { ship } = waiting.handlers;
  const fragile: Projection = {
    ...waiting,
    handlers: {
      ship: {
        apply(event, documents) {
          if (broken) throw new Error("not now");
          return ship!.apply(event, documents);
        },
      },
    },
  };
  const last = await harness.log.record("ship-a", "Boarded", "ann");
  const projector = await harness.start([fragile], { poisonPolicies: { waiting: "retry" } });
  await harness.until(() => harness.problems.length >= 3);
  broken = false;
  expect(await projector.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS)).toBe(true);
  expect(await keysOf(harness.store, "waiting.ship", "all")).toStrictEqual(["ship-a"]);
});

test("a projection that is not stopped, or unknown, is refused", async () => {
  const projector = await harness.start();
  for (const [attempt, code] of [
    [projector.retry("fleet"), "not_stopped"],
    [projector.skip("fleet"), "not_stopped"],
    [projector.retry("none"), "unknown_projection"],
    [projector.rebuild("none"), "unknown_projection"],
  ] as const) {
    const error = await attempt.catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(ProjectorRefusal);
    expect((error as ProjectorRefusal).code).toBe(code);
  }
});
