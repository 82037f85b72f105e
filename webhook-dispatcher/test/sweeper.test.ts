import { expect, test } from "@jest/globals";
import { afterFailure, afterSuccess, HEALTHY, newLane, withNewDeliveries } from "@travel-booking/domain";
import { InMemoryJobQueue } from "@travel-booking/engines/job-queue/memory";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { ManualClock, Metrics, silentLogger } from "@travel-booking/runtime";
import {
  DeliveryStore,
  DueDeliveries,
  EndpointDeliveries,
  LANES_SPACE,
  laneKey,
} from "@travel-booking/webhooks/deliveries";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { SWEEP_INTERVAL_MS } from "../src/dispatcher.ts";
import { registerDispatcherGauges } from "../src/metrics.ts";
import { type Pace, Sweeper } from "../src/sweeper.ts";
import { World } from "./kit/world.ts";

/** A store that counts the records it has listed, and those it was asked for one by one. */
class CountingStore extends InMemoryStateStore {
  listed = 0;
  got = 0;

  override async get<Value>(space: string, key: string) {
    this.got += 1;
    return super.get<Value>(space, key);
  }

  override async list<Value>(space: string, options: { readonly after?: string; readonly limit: number }) {
    const records = await super.list<Value>(space, options);
    this.listed += records.length;
    return records;
  }
}

function setUp() {
  const state = new CountingStore();
  const woken: string[] = [];
  const stored = new DeliveryStore(state);
  const { lanes, endpoints } = stored;
  const sweeper = new Sweeper({
    stored,
    clock: new ManualClock(1_000),
    deliveryMetrics: { recordAttempt: () => undefined, recordPause: () => undefined },
    logger: silentLogger,
    isActive: async () => true,
    wake: (lane) => void woken.push(lane),
    probe: () => undefined,
    abandon: () => undefined,
  });
  const addLane = (endpointId: string, n: number) => {
    const lane = withNewDeliveries(newLane("acc"), [{ eventId: `evt_${n}`, type: "t", sort: "1", at: 500 + n }]);
    return lanes.change(laneKey({ endpointId, about: `bkg_${n}` }), () => ({ ...lane, holder: null }));
  };
  const addLanes = async (count: number) => {
    for (let n = 0; n < count; n += 1) await addLane("whe_1", n);
  };
  return { state, woken, endpoints, sweeper, addLane, addLanes };
}

async function readInOneStep(
  pass: (sweeper: Sweeper, pace: Pace) => Promise<void>,
  fill: number,
  of: "lanes" | "endpoints",
) {
  const { state, sweeper, addLane, addLanes } = setUp();
  if (of === "lanes") await addLanes(fill);
  for (let n = 0; of === "endpoints" && n < fill; n += 1) await addLane(`whe_${n}`, n);
  return new Promise<number>((resolve) => {
    const { promise: noMore } = Promise.withResolvers<void>();
    const pace = () => {
      resolve(state.listed);
      return noMore;
    };
    void pass(sweeper, pace);
  });
}

test("a step of a sweep reads as much among 1,000 lanes as among 100,000", async () => {
  const sweep = (sweeper: Sweeper, pace: Pace) => sweeper.sweep(pace);
  const few = await readInOneStep(sweep, 1_000, "lanes");
  expect(few).toBeLessThan(1_100);
  expect(await readInOneStep(sweep, 100_000, "lanes")).toBe(few);
});

test("a step of the checks reads as much among 1,000 endpoints as among 10,000", async () => {
  const check = (sweeper: Sweeper, pace: Pace) => sweeper.checkEndpoints(pace);
  const few = await readInOneStep(check, 1_000, "endpoints");
  expect(few).toBeLessThan(1_100);
  expect(await readInOneStep(check, 10_000, "endpoints")).toBe(few);
});

test("the checks, the due times and the gauge read nothing of endpoints that were deleted, or are owed nothing", async () => {
  const work = async (others: number) => {
    const { state, sweeper, addLane, endpoints } = setUp();
    const failing = afterFailure(HEALTHY, { at: 900, reason: "down", gone: false });
    await addLane("whe_failing", 0);
    await endpoints.change("whe_failing", () => failing);
    for (let n = 0; n < others; n += 1) {
      await endpoints.markDeleted(`whe_deleted_${n}`, 900);
      await endpoints.change(`whe_well_${n}`, () => afterSuccess(failing, 950));
    }
    state.listed = 0;
    state.got = 0;
    await sweeper.checkEndpoints();
    const models = {
      page: async () => [],
      body: async () => ({ json: '{"status":"active"}' }),
    } as unknown as ReadModels;
    const due = new DueDeliveries({ store: state, models, progress: { positionOf: () => 0n } });
    const dueAt = await due.nextDueAt(1_000, 1_000);
    const metrics = new Metrics();
    registerDispatcherGauges({ metrics, state, clock: new ManualClock(1_000), due });
    const { text } = await metrics.render();
    const impaired = text.match(/^webhook_endpoints_impaired\{.*$/gm);
    return { dueAt, impaired, reads: state.listed + state.got };
  };
  const few = await work(1);
  expect(few).toStrictEqual({
    dueAt: 900 + 5 * 24 * 60 * 60_000,
    impaired: ['webhook_endpoints_impaired{status="failing"} 1', 'webhook_endpoints_impaired{status="paused"} 0'],
    reads: expect.any(Number),
  });
  expect(await work(2_000)).toStrictEqual(few);
});

test("a whole sweep reads each lane once, 1,000 of them as well as 100,000, and little else", async () => {
  const besideLanes = async (count: number) => {
    const { state, sweeper, addLanes } = setUp();
    await addLanes(count);
    state.listed = 0;
    state.got = 0;
    await sweeper.sweep();
    return [state.listed - count, state.got];
  };
  const few = await besideLanes(1_000);
  expect(Math.max(...few)).toBeLessThan(5);
  expect(await besideLanes(100_000)).toStrictEqual(few);
});

test("the steps of a sweep wake every lane once, a part in each", async () => {
  const { woken, sweeper, addLanes } = setUp();
  await addLanes(1_234);
  const wokenBySteps: number[] = [];
  await sweeper.sweep(() => void wokenBySteps.push(woken.length));
  expect(wokenBySteps).toStrictEqual([499, 999]);
  expect([woken.length, new Set(woken).size]).toStrictEqual([1_234, 1_234]);
});

test(
  "a pass that fails is followed by another before the next regular one",
  async () => {
    let failures = 0;
    class FailingStore extends InMemoryStateStore {
      override async list<Value>(space: string, options: { readonly after?: string; readonly limit: number }) {
        // The first step of both passes.
        if (space !== LANES_SPACE || failures > 1) return super.list<Value>(space, options);
        failures += 1;
        throw new Error("the store is down");
      }
    }
    // The wake-up of the fan-out is lost.
    class ForgetfulQueue extends InMemoryJobQueue {
      #scheduled = 0;
      override async schedule(lane: string, delayMs?: number): Promise<void> {
        this.#scheduled += 1;
        if (this.#scheduled > 1) await super.schedule(lane, delayMs);
      }
    }
    const receiver = await Receiver.start();
    const queue = new ForgetfulQueue();
    const world = await World.open({ state: new FailingStore(), queue });
    try {
      await world.endpoint(receiver.url);
      await world.event("bkg_1");
      world.dispatcher.start();
      await receiver.untilCount(1);
      expect(failures).toBe(2);
    } finally {
      await world.close();
      await queue.close();
      await receiver.stop();
    }
  },
  SWEEP_INTERVAL_MS,
);

async function statusOf(fill: number) {
  const { state, sweeper, addLanes } = setUp();
  await addLanes(fill);
  await sweeper.sweep();
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
  await sweeper.sweep();
  await addLanes(1_500);
  // No sweep has counted so many.
  expect(await owed()).toBe(1_500);
  await sweeper.sweep();
  await addLanes(1_600);
  expect(await owed()).toBe(1_500);
});

test("the backlog of a paused endpoint is counted, but its lanes are not woken", async () => {
  const { woken, state, sweeper, addLanes, endpoints } = setUp();
  await addLanes(1_200);
  await endpoints.change("whe_1", () => afterFailure(HEALTHY, { at: 900, reason: "gone", gone: true }));
  await sweeper.sweep();
  state.listed = 0;
  const status = await new EndpointDeliveries({ store: state }).status("whe_1", 1_000);
  expect([status.status, status.owed, woken]).toStrictEqual(["paused", 1_200, []]);
});
