import { expect, test } from "@jest/globals";
import { afterFailure, HEALTHY, newLane, withNewDeliveries } from "@travel-booking/domain";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { ManualClock, silentLogger } from "@travel-booking/runtime";
import {
  Backlogs,
  EndpointDeliveries,
  EndpointStates,
  FanOutCheckpoint,
  Lanes,
  laneKey,
} from "@travel-booking/webhooks/deliveries";
import { PacedPass } from "../src/paced-pass.ts";
import { Sweeper } from "../src/sweeper.ts";

/** A store that counts the records it has listed. */
class CountingStore extends InMemoryStateStore {
  listed = 0;

  override async list<Value>(space: string, options: { readonly after?: string; readonly limit: number }) {
    const records = await super.list<Value>(space, options);
    this.listed += records.length;
    return records;
  }
}

function setUp() {
  const state = new CountingStore();
  const woken: string[] = [];
  const lanes = new Lanes(state);
  const endpoints = new EndpointStates(state);
  const sweeper = new Sweeper({
    lanes,
    backlogs: new Backlogs(state, lanes),
    endpoints,
    checkpoint: new FanOutCheckpoint(state),
    clock: new ManualClock(1_000),
    deliveryMetrics: { recordAttempt: () => undefined, recordPause: () => undefined },
    logger: silentLogger,
    wake: (lane) => void woken.push(lane),
    probe: () => undefined,
    abandon: () => undefined,
  });
  const addLanes = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const lane = withNewDeliveries(newLane("acc"), [{ eventId: `evt_${n}`, type: "t", sort: "1", at: 500 + n }]);
      await lanes.change(laneKey({ endpointId: "whe_1", bookingId: `bkg_${n}` }), () => ({ ...lane, holder: null }));
    }
  };
  return { state, woken, endpoints, sweeper, addLanes };
}

async function readInOneStep(
  pass: (sweeper: Sweeper) => AsyncGenerator<void>,
  fill: number,
  of: "lanes" | "endpoints",
) {
  const { state, sweeper, addLanes, endpoints } = setUp();
  if (of === "lanes") await addLanes(fill);
  const failing = afterFailure(HEALTHY, { at: 900, reason: "down", gone: false });
  for (let n = 0; of === "endpoints" && n < fill; n += 1) await endpoints.change(`whe_${n}`, () => failing);
  const paced = new PacedPass(() => pass(sweeper), 60_000);
  await paced.step(false);
  return state.listed;
}

test("a step of a sweep reads as much among 1,000 lanes as among 100,000", async () => {
  const sweep = (sweeper: Sweeper) => sweeper.sweep();
  const few = await readInOneStep(sweep, 1_000, "lanes");
  expect(few).toBeLessThan(1_100);
  expect(await readInOneStep(sweep, 100_000, "lanes")).toBe(few);
});

test("a step of the checks reads as much among 1,000 endpoints as among 100,000", async () => {
  const check = (sweeper: Sweeper) => sweeper.checkEndpoints();
  const few = await readInOneStep(check, 1_000, "endpoints");
  expect(few).toBeLessThan(1_100);
  expect(await readInOneStep(check, 100_000, "endpoints")).toBe(few);
});

test("the steps of a sweep wake every lane once; a whole pass does so at once", async () => {
  const { woken, sweeper, addLanes } = setUp();
  await addLanes(1_234);
  const paced = new PacedPass(() => sweeper.sweep(), 60_000);
  await paced.step(false);
  expect(woken.length).toBeLessThan(1_234);
  for (let n = 0; n < 5; n += 1) await paced.step(false);
  expect([woken.length, new Set(woken).size]).toStrictEqual([1_234, 1_234]);
  await paced.step(true);
  expect(woken).toHaveLength(2_468);
});

test("a pass that fails begins anew with the next step", async () => {
  let begun = 0;
  const paced = new PacedPass(async function* () {
    begun += 1;
    yield;
    if (begun === 1) throw new Error("the store is down");
  }, 60_000);
  await paced.step(false);
  await expect(paced.step(false)).rejects.toThrow("the store is down");
  await paced.step(false);
  expect(begun).toBe(2);
});

async function statusOf(fill: number) {
  const { state, sweeper, addLanes } = setUp();
  await addLanes(fill);
  await new PacedPass(() => sweeper.sweep(), 60_000).step(true);
  state.listed = 0;
  const { owed, oldestOwedAt } = await new EndpointDeliveries({ store: state }).status("whe_1", 1_000);
  return { owed, oldestOwedAt, listed: state.listed };
}

test("a status of 100,000 bookings with pending deliveries reads as much as one of 2,000", async () => {
  const few = await statusOf(2_000);
  expect(few).toMatchObject({ owed: 2_000, oldestOwedAt: 500 });
  expect(few.listed).toBeLessThan(1_600);
  expect(await statusOf(100_000)).toStrictEqual({ ...few, owed: 100_000 });
});

test("of few bookings a status counts what is pending at that moment, of many what the last sweep counted", async () => {
  const { state, sweeper, addLanes } = setUp();
  const owed = async () => (await new EndpointDeliveries({ store: state }).status("whe_1", 1_000)).owed;
  await addLanes(1_000);
  await new PacedPass(() => sweeper.sweep(), 60_000).step(true);
  await addLanes(1_500);
  // No sweep has counted so many.
  expect(await owed()).toBe(1_500);
  await new PacedPass(() => sweeper.sweep(), 60_000).step(true);
  await addLanes(1_600);
  expect(await owed()).toBe(1_500);
});

test("the backlog of a paused endpoint is counted, but its lanes are not woken", async () => {
  const { woken, state, sweeper, addLanes, endpoints } = setUp();
  await addLanes(1_200);
  await endpoints.change("whe_1", () => afterFailure(HEALTHY, { at: 900, reason: "gone", gone: true }));
  await new PacedPass(() => sweeper.sweep(), 60_000).step(true);
  state.listed = 0;
  const status = await new EndpointDeliveries({ store: state }).status("whe_1", 1_000);
  expect([status.status, status.owed, woken]).toStrictEqual(["paused", 1_200, []]);
});
