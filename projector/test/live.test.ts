import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { DamagedStore } from "@travel-booking/engines/event-store";
import { fleet, waiting } from "./kit/example-projections.ts";
import { bodyOf, dumpOf, Harness, keysOf, LONG_TIMEOUT_MS } from "./kit/harness.ts";
import { withOverrides } from "./kit/with-overrides.ts";

let harness: Harness;
beforeEach(() => {
  harness = new Harness();
});
afterEach(() => harness.close());

async function someVoyages(): Promise<bigint> {
  const { log } = harness;
  await log.record("ship-a", "Boarded", "ann");
  await log.record("ship-b", "Boarded", "bob");
  await log.record("ship-a", "Boarded", "cid");
  await log.record("dock-1", "Opened");
  await log.record("ship-c", "Boarded", "dan");
  await log.record("ship-c", "Scrapped");
  return log.record("ship-a", "Departed");
}

describe("live projections", () => {
  test("show events recorded before and after the start", async () => {
    await harness.log.record("ship-z", "Boarded", "zoe");
    const projector = await harness.start();
    const last = await someVoyages();
    expect(await projector.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS)).toBe(true);
    expect(await projector.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS)).toBe(true);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toStrictEqual({
      id: "a",
      crew: ["ann", "cid"],
      departed: true,
    });
    expect((await harness.store.document("fleet.ship", "ship-a"))?.position).toBe(last);
    expect(await keysOf(harness.store, "fleet.ship", "all")).toStrictEqual(["ship-z", "ship-a", "ship-b"]);
    expect(await bodyOf(harness.store, "fleet.log", "ship-a/1")).toStrictEqual({
      id: "a",
      crew: ["ann", "cid"],
      departed: false,
    });
    expect(await keysOf(harness.store, "waiting.ship", "all")).toStrictEqual(["ship-b", "ship-c", "ship-z"]);
    expect(await projector.list()).toStrictEqual([
      { name: "fleet", state: "live", position: String(last), lag: 0, error: null, failedAt: null },
      { name: "waiting", state: "live", position: String(last), lag: 0, error: null, failedAt: null },
    ]);
  });

  test("one subscription feeds them all", async () => {
    const last = await someVoyages();
    const projector = await harness.start();
    await projector.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS);
    expect(harness.log.subscriptions).toBe(1);
  });

  test("continue from their checkpoints after any number of restarts, with the same result", async () => {
    const first = await harness.start();
    await first.progress.waitUntil("fleet", await someVoyages(), LONG_TIMEOUT_MS);
    await first.stop();
    const before = await dumpOf(harness.store);
    const second = await harness.start();
    expect(second.progress.positionOf("fleet")).toBe(await harness.log.head());
    expect(await dumpOf(harness.store)).toStrictEqual(before);
    const last = await harness.log.record("ship-b", "Boarded", "eve");
    await second.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-b")).toStrictEqual({
      id: "b",
      crew: ["bob", "eve"],
      departed: false,
    });
    expect((await harness.store.document("fleet.ship", "ship-b"))?.position).toBe(last);
  });

  test("a new one catches up on its own and then joins", async () => {
    const first = await harness.start([fleet]);
    await first.progress.waitUntil("fleet", await someVoyages(), LONG_TIMEOUT_MS);
    await first.stop();
    const second = await harness.start([fleet, waiting]);
    await second.progress.waitUntil("waiting", await harness.log.head(), LONG_TIMEOUT_MS);
    const last = await harness.log.record("ship-e", "Boarded", "eve");
    expect(await second.progress.waitUntil("waiting", last, LONG_TIMEOUT_MS)).toBe(true);
    expect(await keysOf(harness.store, "waiting.ship", "all")).toStrictEqual(["ship-b", "ship-c", "ship-e"]);
  });

  test("continue after the log was unavailable, losing and doubling nothing", async () => {
    const projector = await harness.start();
    await projector.progress.waitUntil("fleet", await someVoyages(), LONG_TIMEOUT_MS);
    harness.log.failure = new Error("connection lost");
    const last = await harness.log.record("ship-b", "Boarded", "eve");
    await harness.until(() => harness.problems.length >= 3);
    harness.log.failure = undefined;
    const after = await harness.log.record("ship-b", "Boarded", "fay");
    expect(after).toBe(last + 1n);
    await projector.progress.waitUntil("fleet", after, LONG_TIMEOUT_MS);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-b")).toMatchObject({ crew: ["bob", "eve", "fay"] });
    expect(harness.problems[0]).toStrictEqual({ projection: null, error: new Error("connection lost") });
  });

  test("continue after the read store was unavailable, losing and doubling nothing", async () => {
    let failures = 3;
    const readStore = withOverrides(harness.store, {
      async write(batches) {
        if (failures-- > 0) throw new Error("disk full");
        await harness.store.write(batches);
      },
    });
    const projector = await harness.start([fleet, waiting], { readStore });
    const last = await someVoyages();
    expect(await projector.progress.waitUntil("fleet", last, LONG_TIMEOUT_MS)).toBe(true);
    expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "cid"] });
    expect(harness.problems).toHaveLength(3);
  });

  test("a damaged log ends everything and is reported once", async () => {
    const damaged = new DamagedStore("log", "a hole");
    harness.log.failure = damaged;
    const projector = await harness.start();
    await harness.until(() => harness.fatal.length > 0);
    await projector.stop();
    expect(harness.fatal).toStrictEqual([damaged]);
  });
});

describe("waiting for a position", () => {
  test("ends with false after the time-out", async () => {
    const projector = await harness.start();
    expect(await projector.progress.waitUntil("fleet", 99n, 1)).toBe(false);
    expect(await projector.progress.waitUntil("none", 1n, 1)).toBe(false);
    expect(await projector.progress.waitUntil("none", 0n, 1)).toBe(true);
  });
});
