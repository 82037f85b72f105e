import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  afterDelivery,
  afterFailedAttempt,
  newLane,
  type PendingDelivery,
  withNewDeliveries,
} from "@travel-booking/domain";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/memory";
import { FanOutCheckpoint, Lanes } from "@travel-booking/webhooks/deliveries";
import { DelayedCheckpoint } from "../../src/fan-out/delayed-checkpoint.ts";
import { DeliveryWindow, type DeliveryWindowOptions } from "../../src/lanes/delivery-window.ts";

const delivery = (n: number): PendingDelivery => ({ eventId: `evt_${n}`, type: "t", sort: sortOf(n), at: n });
const sortOf = (n: number) => String(n).padStart(8, "0");
const KEY = "whe_1/bkg_1";

let state: InMemoryStateStore;
let lanes: Lanes;
let checkpoint: FanOutCheckpoint;
let window: DeliveryWindow;
let enqueued: string[];
let woken: string[];
let late: string[];

function open(options: Partial<DeliveryWindowOptions> = {}): void {
  window = new DeliveryWindow({
    lanes,
    checkpoint: new DelayedCheckpoint(checkpoint),
    enqueue: (key) => void enqueued.push(key),
    wake: async (key) => void woken.push(key),
    maxLanes: 1_000,
    isHeldUp: (endpointId) => late.includes(endpointId),
    onHeldUp: (endpointId) => void late.push(endpointId),
    ...options,
  });
}

beforeEach(() => {
  state = new InMemoryStateStore();
  lanes = new Lanes(state);
  checkpoint = new FanOutCheckpoint(state);
  [enqueued, woken, late] = [[], [], []];
  open();
});
afterEach(() => window.close());

/** A page of events, each for a lane. */
async function add(...events: readonly (readonly [n: number, key: string])[]): Promise<void> {
  const byLane = new Map<string, { accountId: string; deliveries: PendingDelivery[] }>();
  for (const [n, key] of events) {
    const added = byLane.get(key) ?? { accountId: "acc", deliveries: [] };
    byLane.set(key, added);
    added.deliveries.push(delivery(n));
  }
  await window.add(sortOf(events.at(-1)?.[0] ?? 0), byLane);
  await window.start(byLane);
}

const made = (n: number, key = KEY) =>
  window.change(key, (lane) => lane && { ...lane, ...afterDelivery(lane, sortOf(n)) });
const failed = (n: number, key = KEY) =>
  window.change(
    key,
    (lane) => lane && { ...lane, ...afterFailedAttempt(lane, sortOf(n), { at: 0, chance: 0, retryAfter: null }).lane },
  );
const owedIn = async (key = KEY) => (await lanes.get(key))?.lane.owed.map(({ eventId }) => eventId);

describe("the deliveries of a healthy endpoint", () => {
  test.each([1_000, 100_000])("%d of them write nothing but the checkpoint", async (count) => {
    const writes: string[] = [];
    for (const method of ["create", "put", "replace", "remove", "removeIfVersion", "insertUnchecked"] as const) {
      const original = state[method].bind(state) as (space: string, ...rest: readonly unknown[]) => never;
      Object.assign(state, {
        [method]: (space: string, ...rest: readonly unknown[]) => {
          writes.push(space);
          return original(space, ...rest);
        },
      });
    }
    for (let n = 0; n < count; n += 100) {
      const page = Array.from({ length: 100 }, (_, index) => [n + index, `whe_1/bkg_${index % 40}`] as const);
      await add(...page);
      for (const [event, key] of page) await made(event, key);
    }
    await window.settled();
    expect(new Set(writes)).toStrictEqual(new Set(["webhook-fan-out"]));
    expect(writes.length).toBeLessThan(count / 100 + 1);
    expect(await checkpoint.load()).toBe(sortOf(count - 1));
  });

  test("the checkpoint stays before the first that was not made", async () => {
    await add([1, "whe_1/a"], [2, "whe_1/b"]);
    await add([3, "whe_1/a"]);
    await add([4, "whe_1/c"]);
    await made(4, "whe_1/c");
    await made(1, "whe_1/a");
    await made(3, "whe_1/a");
    await window.close();
    expect(await checkpoint.load()).toBe("");
    open();
    await add([1, "whe_1/a"], [2, "whe_1/b"]);
    await add([3, "whe_1/a"]);
    await made(2, "whe_1/b");
    await made(1, "whe_1/a");
    await window.close();
    expect(await checkpoint.load()).toBe(sortOf(2));
  });
});

describe("a lane is stored", () => {
  test("when an attempt fails, with everything behind it, and no other lane with it", async () => {
    await add([1, KEY], [2, KEY], [3, "whe_1/bkg_2"]);
    const stored = await failed(1);
    expect(stored?.lane).toMatchObject({ failures: 1, last: sortOf(2) });
    expect(await owedIn()).toStrictEqual(["evt_1", "evt_2"]);
    expect(await owedIn("whe_1/bkg_2")).toBeUndefined();
    await add([4, KEY]);
    expect([await owedIn(), woken]).toStrictEqual([["evt_1", "evt_2", "evt_4"], [KEY]]);
  });

  test("when it is late; its endpoint is held up then, and the checkpoint goes on", async () => {
    open({ maxAgeMs: { heldUp: 1, any: 2 } });
    await add([1, KEY], [2, "whe_2/bkg_1"]);
    await made(2, "whe_2/bkg_1");
    await window.settled();
    expect([await owedIn(), woken, late]).toStrictEqual([["evt_1"], [KEY], ["whe_1"]]);
    expect(await checkpoint.load()).toBe(sortOf(2));
  });

  test("at once when its endpoint is held up", async () => {
    open({ isHeldUp: (endpointId) => endpointId === "whe_1" });
    await add([1, KEY], [2, "whe_2/bkg_1"]);
    expect([await owedIn(), woken, enqueued]).toStrictEqual([["evt_1"], [KEY], ["whe_2/bkg_1"]]);
  });

  test("at once when there are many in memory", async () => {
    open({ maxLanes: 1 });
    await add([1, KEY]);
    await add([2, "whe_2/bkg_1"], [3, KEY]);
    expect([await owedIn("whe_2/bkg_1"), woken, enqueued]).toStrictEqual([["evt_2"], ["whe_2/bkg_1"], [KEY, KEY]]);
    expect(window.pendingOf("whe_1").map(({ eventId }) => eventId)).toStrictEqual(["evt_1", "evt_3"]);
  });

  test("when the store answers again", async () => {
    open({ maxAgeMs: { heldUp: 1, any: 2 } });
    const create: InMemoryStateStore["create"] = state.create.bind(state);
    let refusals = 3;
    state.create = (...write) => {
      refusals -= 1;
      return refusals >= 0 ? Promise.reject(new Error("out of reach")) : create(...write);
    };
    await add([1, KEY]);
    await window.settled();
    expect(await owedIn()).toStrictEqual(["evt_1"]);
  });

  test("behind what is stored already, whoever stored it", async () => {
    await add([2, KEY]);
    await lanes.change(KEY, () => ({
      ...withNewDeliveries(newLane("acc"), [delivery(1)]),
      holder: null,
    }));
    await window.store(KEY);
    expect(await owedIn()).toStrictEqual(["evt_1", "evt_2"]);
  });
});

test("a lane as it was read before it was stored is not written over", async () => {
  await add([1, KEY], [2, KEY]);
  const before = await window.get(KEY);
  if (before === undefined) throw new Error("it is in memory");
  await window.store(KEY);
  expect(await window.replace(before, { ...before.lane, holder: "a" })).toBeUndefined();
  expect(await window.removeVersion(before)).toBe(false);
  await window.change(KEY, (lane) => lane && { ...lane, ...afterDelivery(lane, sortOf(1)) }, before);
  expect(await owedIn()).toStrictEqual(["evt_2"]);
});
