import { beforeEach, expect, test } from "@jest/globals";
import { newLane } from "@travel-booking/domain";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { Lanes, type StoredLane } from "@travel-booking/webhooks/deliveries";
import { LaneLock } from "../../src/lanes/lane-lock.ts";

let lanes: Lanes;
let now: number;

beforeEach(() => {
  lanes = new Lanes(new InMemoryStateStore());
  now = 0;
});

const guard = (holder: string) => new LaneLock(lanes, holder, { now: () => now });
const lane = { ...newLane("acc"), more: 1, holder: null };
const look = async () => (await lanes.get("whe/bkg")) as StoredLane;

test("of two holders that read the same lane one gets it", async () => {
  await lanes.change("whe/bkg", () => lane);
  const stored = await look();
  const [first, second] = [guard("a"), guard("b")];
  const taken = await Promise.all([first.acquire(stored), second.acquire(stored)]);
  expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
  const holder = (await look()).lane.holder;
  expect([first.isHeldByUs((await look()).lane), second.isHeldByUs((await look()).lane)]).toStrictEqual([
    holder === "a",
    holder === "b",
  ]);
});

test("a lane that has not changed for longer than an attempt takes may be taken", async () => {
  await lanes.change("whe/bkg", () => ({ ...lane, holder: "gone" }));
  const other = guard("b");
  expect(await other.acquire(await look())).toBeUndefined();
  now += 29_999;
  expect(await other.acquire(await look())).toBeUndefined();
  now += 1;
  expect((await other.acquire(await look()))?.lane.holder).toBe("b");
});

test("a lane that changes is not taken", async () => {
  await lanes.change("whe/bkg", () => ({ ...lane, holder: "busy" }));
  const other = guard("b");
  for (let round = 0; round < 5; round += 1) {
    expect(await other.acquire(await look())).toBeUndefined();
    now += 29_000;
    await lanes.change("whe/bkg", (known) => ({ ...(known ?? lane), more: round + 2 }));
  }
  expect(await other.acquire(await look())).toBeUndefined();
});

test("a lane that was removed and created again is not the one that was read", async () => {
  await lanes.change("whe/bkg", () => lane);
  const read = await look();
  let filled = read;
  // Versions begin with a moment and a drawn number: within a millisecond it can be the same one, once in 4,096.
  while (filled.version === read.version) {
    await lanes.removeVersion(filled);
    await lanes.change("whe/bkg", () => ({ ...lane, more: 2 }));
    filled = await look();
  }
  expect(await guard("late").acquire(read)).toBeUndefined();
  expect(await lanes.removeVersion(read)).toBe(false);
  expect(await look()).toStrictEqual(filled);
});
