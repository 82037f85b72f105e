import { expect, test } from "@jest/globals";
import { afterFailure, HEALTHY, newLane, withNewDeliveries } from "@travel-booking/domain";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/memory";
import { ManualClock, silentLogger } from "@travel-booking/runtime";
import { EndpointStates, FanOutCheckpoint, Lanes, laneKey } from "@travel-booking/webhooks/deliveries";
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
      const lane = withNewDeliveries(newLane("acc"), [{ eventId: `evt_${n}`, type: "t", sort: "1", at: 0 }]);
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
