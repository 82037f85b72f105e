import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Leases } from "@travel-booking/engines/leases";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { RemoteProjectorControl } from "@travel-booking/read-models/control";
import { newWords } from "@travel-booking/read-models/testing";
import { NewerVersionLive } from "../src/generations.ts";
import type { Projection } from "../src/index.ts";
import { LeasedProjections, type LeasedProjectionsOptions } from "../src/leased-projections.ts";
import { fleet, waiting } from "./kit/example-projections.ts";
import { bodyOf, Harness } from "./kit/harness.ts";
import { TestLog } from "./kit/log.ts";

let harness: Harness;
let state: InMemoryStateStore;
let problems: { readonly projection: string | null; readonly error: unknown }[];
const started: LeasedProjections[] = [];

beforeEach(() => {
  harness = new Harness();
  state = new InMemoryStateStore();
  problems = [];
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
  await harness.close();
});

/** An instance that shares log, read store and state store with the others. */
function instance(
  worker: string,
  projections: readonly Projection[] = [fleet, waiting],
  log: LeasedProjectionsOptions["eventStore"] = harness.log,
): LeasedProjections {
  const leased = new LeasedProjections({
    eventStore: log,
    readStore: harness.store,
    words: newWords(),
    projections,
    leases: new Leases(state, worker),
    state,
    instanceId: worker,
    onFatal: (error) => {
      throw error;
    },
    onProblem: (problem) => problems.push(problem),
  });
  started.push(leased);
  leased.start();
  return leased;
}

const controlled = () =>
  new RemoteProjectorControl({
    state,
    projections: ["fleet"],
    head: () => harness.log.head(),
    positionOf: () => 0n,
  });

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("each projection runs on one instance, and on the other when that one ends", async () => {
  const one = instance("one");
  await until(() => one.held.length === 2);
  const other = instance("other");
  await harness.log.record("ship-a", "Boarded", "Ada");
  await until(async () => (await bodyOf(harness.store, "fleet.ship", "ship-a")) !== undefined);
  expect([one.held.toSorted(), other.held]).toStrictEqual([["fleet", "waiting"], []]);
  await one.stop();
  await until(() => other.held.length === 2);
  await harness.log.record("ship-b", "Boarded", "Bee");
  await until(async () => (await bodyOf(harness.store, "fleet.ship", "ship-b")) !== undefined);
  expect(problems).toStrictEqual([]);
});

test("a rebuild whose projector ends is done by the next", async () => {
  await harness.log.record("ship-a", "Boarded", "Ada");
  const reading = Promise.withResolvers<void>();
  let isStuck = false;
  const one = instance("one", [fleet], {
    head: () => harness.log.head(),
    eventIdAt: (position) => harness.log.eventIdAt(position),
    async *subscribe(options) {
      if (!isStuck) return yield* harness.log.subscribe(options);
      reading.resolve();
      await once(options.signal, "abort");
    },
  });
  await until(async () => (await bodyOf(harness.store, "fleet.ship", "ship-a")) !== undefined);
  isStuck = true;
  const rebuilt = controlled().rebuild("fleet");
  await reading.promise;
  instance("other", [fleet]);
  await one.stop();
  expect(await rebuilt).toStrictEqual({ name: "fleet", events: 1, seconds: expect.any(Number) });
  expect(problems).toStrictEqual([]);
});

test("an instance of an older release does not touch a newer live generation", async () => {
  const newer = instance("newer", [{ ...fleet, version: fleet.version + 1 }]);
  await until(() => newer.held.length === 1);
  const [live] = await harness.store.generations("fleet");
  const older = instance("older", [fleet]);
  await until(() => problems.length > 0);
  expect(problems[0]).toMatchObject({ projection: "fleet", error: { name: "NewerVersionLive" } });
  expect(older.held).toStrictEqual([]);
  expect(await harness.store.generations("fleet")).toStrictEqual([live]);
});

test("a request is carried out by the version that is live, and an instance of an older one stands by from then on", async () => {
  const older = instance("older", [fleet]);
  await until(() => older.held.length === 1);
  const newer = instance("newer", [{ ...fleet, version: fleet.version + 1 }]);
  const live = async () => (await harness.store.generations("fleet")).find((one) => one.live)?.version;
  await until(async () => newer.held.length === 1 && (await live()) === fleet.version + 1);
  const created: number[] = [];
  const { create } = harness.store;
  harness.store.create = (name, version) => {
    created.push(version);
    return create.call(harness.store, name, version);
  };
  await controlled().rebuild("fleet");
  await until(() => problems.length > 0);
  expect(problems[0]).toStrictEqual({ projection: "fleet", error: new NewerVersionLive("fleet") });
  expect([created, older.held]).toStrictEqual([[fleet.version + 1], []]);
});

test("the first read model of a log that has events is read once it has caught up", async () => {
  await harness.log.record("ship-a", "Boarded", "Ada");
  const isLive = async () => (await harness.store.generations("fleet")).some((one) => one.live);
  const isReadBefore: boolean[] = [];
  instance("one", [fleet], {
    head: () => harness.log.head(),
    eventIdAt: (position) => harness.log.eventIdAt(position),
    async *subscribe(options) {
      for await (const batch of harness.log.subscribe(options)) {
        isReadBefore.push(await isLive());
        yield batch;
      }
    },
  });
  await until(isLive);
  expect(isReadBefore[0]).toBe(false);
  expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toBeDefined();
});

test("a read model of another log stands still until the right one is back, or it is built anew", async () => {
  const before = instance("before", [fleet]);
  await harness.log.record("ship-a", "Boarded", "Ada");
  await until(async () => (await bodyOf(harness.store, "fleet.ship", "ship-a")) !== undefined);
  await before.stop();
  const control = controlled();
  const status = async () => (await control.list())[0];
  const isIn = (wanted: string) => async () => (await status())?.state === wanted;

  const other = new TestLog();
  await other.record("ship-o", "Boarded", "Otto");
  await other.record("ship-o", "Boarded", "Olga");
  // A server that has another log behind it for a while.
  let log = other;
  const server: LeasedProjectionsOptions["eventStore"] = {
    subscribe: (options) => log.subscribe(options),
    head: () => log.head(),
    eventIdAt: (position) => log.eventIdAt(position),
  };
  const after = instance("after", [fleet], server);
  await until(isIn("stopped"));
  expect((await status())?.error).toMatch(/^the event log is not the one that was read before: it lacks /);
  expect(after.anotherLog?.message).toBe((await status())?.error);
  expect(problems.map(({ projection, error }) => [projection, (error as Error).name])).toStrictEqual([
    [null, "AnotherLog"],
  ]);

  log = harness.log;
  await until(isIn("live"));
  expect(after.anotherLog).toBeUndefined();
  await harness.log.record("ship-b", "Boarded", "Bee");
  await until(async () => (await bodyOf(harness.store, "fleet.ship", "ship-b")) !== undefined);
  await after.stop();

  const taking = instance("taking", [fleet], other);
  await until(isIn("stopped"));
  await expect(control.retry("fleet")).rejects.toThrow("the event log is not the one");
  expect(await control.rebuild("fleet")).toMatchObject({ name: "fleet", events: 2 });
  await until(isIn("live"));
  expect(taking.anotherLog).toBeUndefined();
  expect(await bodyOf(harness.store, "fleet.ship", "ship-a")).toBeUndefined();
  await other.record("ship-p", "Boarded", "Pia");
  await until(async () => (await bodyOf(harness.store, "fleet.ship", "ship-p")) !== undefined);
});
