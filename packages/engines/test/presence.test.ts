import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Presence } from "../src/leases/index.ts";
import { FaultyStateStore, ManualTime } from "../testing/leases.ts";

let time: ManualTime;
let shared: FaultyStateStore;
let stops: AbortController[];

beforeEach(() => {
  time = new ManualTime();
  shared = new FaultyStateStore();
  stops = [];
});

afterEach(async () => {
  shared.fault = undefined;
  for (const stop of stops) stop.abort();
  await time.advance(20_000);
});

/** A process that shows that it lives. `die`: nothing it asks of the store gets through from then on. */
async function live() {
  const own = Object.assign(new FaultyStateStore(), { inner: shared.inner });
  const presence = new Presence(own.store, time);
  const stop = new AbortController();
  stops.push(stop);
  void presence.announce(stop.signal);
  await time.advance(0);
  const die = () => {
    own.fault = "lost-before";
  };
  const recover = () => {
    own.fault = undefined;
  };
  return { instance: presence.instance, stop, die, recover };
}

/** Whose end the watching process is told, and when. */
function watch(onEnded: (instance: string) => Promise<void> = async () => undefined) {
  const stop = new AbortController();
  stops.push(stop);
  const ended: (readonly [instance: string, at: number])[] = [];
  const told = async (instance: string) => {
    ended.push([instance, time.now()]);
    await onEnded(instance);
  };
  void new Presence(shared.store, time).watch(told, stop.signal);
  return ended;
}

test("nobody ends who lives", async () => {
  await live();
  await live();
  const ended = watch();
  await time.advance(600_000);
  expect(ended).toStrictEqual([]);
});

test("who dies has ended once the record has stood still for as long as a lease, and is told once", async () => {
  const [one, two] = [await live(), await live()];
  const ended = watch();
  await time.advance(60_000);
  one.die();
  await time.advance(60_000);
  expect(ended.map(([instance]) => instance)).toStrictEqual([one.instance]);
  const [, at = 0] = ended[0] ?? [];
  expect(at).toBeGreaterThanOrEqual(63_000);
  expect(at).toBeLessThanOrEqual(66_000);
  expect((await shared.inner.list("instances", { limit: 10 })).map(({ key }) => key)).toStrictEqual([two.instance]);
});

test("who died before the watch began has ended, too", async () => {
  const one = await live();
  one.die();
  await time.advance(60_000);
  const ended = watch();
  await time.advance(6_000);
  expect(ended.map(([instance]) => instance)).toStrictEqual([one.instance]);
});

test("who stops says so: it has ended at once", async () => {
  const one = await live();
  const ended = watch();
  await time.advance(10_000);
  one.stop.abort();
  await time.advance(1_000);
  expect(ended.map(([instance]) => instance)).toStrictEqual([one.instance]);
});

test("while nothing can be read or renewed nobody ends, and for the time of a lease after it", async () => {
  const one = await live();
  const ended = watch();
  await time.advance(10_000);
  shared.fault = "lost-before";
  one.die();
  await time.advance(60_000);
  shared.fault = undefined;
  await time.advance(2_000);
  one.recover();
  await time.advance(60_000);
  expect(ended).toStrictEqual([]);
});

test("what can't be done about an end is tried again until it can", async () => {
  const one = await live();
  let failures = 3;
  const ended = watch(async () => {
    failures -= 1;
    if (failures > 0) throw new Error("not now");
  });
  one.stop.abort();
  await time.advance(60_000);
  expect(ended.map(([instance]) => instance)).toStrictEqual([one.instance, one.instance, one.instance]);
  expect(await shared.inner.list("instances", { limit: 10 })).toStrictEqual([]);
});

test("who was taken for dead lives on under its name", async () => {
  const one = await live();
  const ended = watch();
  one.die();
  await time.advance(10_000);
  expect(ended).toHaveLength(1);
  one.recover();
  await time.advance(60_000);
  expect((await shared.inner.list("instances", { limit: 10 })).map(({ key }) => key)).toStrictEqual([one.instance]);
  expect(ended).toHaveLength(1);
});
