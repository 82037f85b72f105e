import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import {
  afterFailure,
  afterResume,
  DAY,
  HEALTHY,
  newLane,
  type PendingDelivery,
  withNewDeliveries,
} from "@travel-booking/domain";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import type { StateStore } from "@travel-booking/engines/state-store";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import {
  AttemptLog,
  type DeliveryAttempt,
  EndpointDeliveries,
  EndpointStates,
  Lanes,
  laneKey,
  parseLaneKey,
} from "../src/deliveries/index.ts";

const T = 1_000_000;

async function openLmdb() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "webhook-deliveries-"));
  const environment = openEnvironment({ path: folder, maxDbs: LMDB_STATE_STORE_DATABASES });
  const store = openLmdbStateStore(environment, {
    onFatal: (error) => {
      throw error;
    },
  });
  const dispose = async () => {
    await environment.close();
    fs.rmSync(folder, { recursive: true });
  };
  return { store, dispose };
}

const attempt = (endpointId: string, n: number, deliveredAt: number): DeliveryAttempt => ({
  id: `dlv_${n}`,
  endpointId,
  accountId: "acc",
  eventId: `evt_${n}`,
  eventType: "booking.changed",
  bookingId: "bkg",
  status: "succeeded",
  attempt: 1,
  responseStatus: 200,
  error: null,
  durationMs: 1,
  deliveredAt,
  nextAttemptAt: null,
  signature: "00",
});
const delivery = (n: number): PendingDelivery => ({
  eventId: `evt_${n}`,
  type: "t",
  sort: String(n).padStart(4, "0"),
  at: n,
});

describe.each([
  ["memory", async () => ({ store: new InMemoryStateStore() as StateStore, dispose: async () => undefined })],
  ["LMDB", openLmdb],
])("on %s", (_, open) => {
  let store: StateStore;
  let dispose: () => Promise<unknown>;
  let log: EndpointDeliveries;
  const woken: string[] = [];

  beforeEach(async () => {
    ({ store, dispose } = await open());
    woken.length = 0;
    log = new EndpointDeliveries({ store, wake: (lane) => void woken.push(lane) });
  });
  afterEach(async () => {
    await store.close();
    await dispose();
  });

  const owe = (endpointId: string, bookingId: string, ...numbers: readonly number[]) =>
    new Lanes(store).change(laneKey({ endpointId, about: bookingId }), () => ({
      ...withNewDeliveries(newLane("acc"), numbers.map(delivery)),
      holder: null,
    }));

  test("attempts are listed newest first, page by page, each endpoint's apart", async () => {
    const attempts = new AttemptLog(store);
    for (let n = 0; n < 7; n += 1) await attempts.add(attempt("whe_1", n, T + Math.floor(n / 2)));
    await attempts.add(attempt("whe_0", 100, T));
    await attempts.add(attempt("whe_10", 101, T));
    const seen: string[] = [];
    let after: string | undefined;
    for (;;) {
      const page = await log.attempts.page("whe_1", { limit: 3, after });
      seen.push(...page.map(({ attempt: { id } }) => id));
      after = page.at(-1)?.sort;
      if (page.length < 3) break;
    }
    expect(seen).toStrictEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `dlv_${n}`));
    expect((await log.attempts.page("whe_none", { limit: 3 })).length).toBe(0);
  });

  test("attempts are retained for ninety days", async () => {
    await new AttemptLog(store).add(attempt("whe_1", 1, T));
    expect(await store.removeExpired(T + 90 * DAY - 1, 10)).toBe(0);
    expect(await store.removeExpired(T + 90 * DAY, 10)).toBe(1);
    expect(await log.attempts.page("whe_1", { limit: 3 })).toStrictEqual([]);
  });

  test("of more than ten thousand attempts the oldest are removed, two thousand at a time, of this endpoint alone", async () => {
    let chance = 0.999;
    const attempts = new AttemptLog(store, () => chance);
    const count = 12_500;
    await Promise.all(Array.from({ length: count }, (_, n) => attempts.add(attempt("whe_1", n, T + n))));
    await attempts.add(attempt("whe_0", 1, T));
    await attempts.add(attempt("whe_2", 1, T));
    chance = 0;
    const kept: number[] = [];
    for (let n = count; n < count + 3; n += 1) {
      await attempts.add(attempt("whe_1", n, T + n));
      const page = await attempts.page("whe_1", { limit: 20_000 });
      expect(page[0]?.attempt.id).toBe(`dlv_${n}`);
      kept.push(page.length);
    }
    expect(kept).toStrictEqual([10_501, 10_000, 10_000]);
    for (const other of ["whe_0", "whe_2"]) expect(await attempts.page(other, { limit: 2 })).toHaveLength(1);
  });

  test("an attempt is logged also where the oldest can't be removed: the next trim does", async () => {
    const none = jest.spyOn(store, "list").mockRejectedValueOnce(new Error("away"));
    const attempts = new AttemptLog(store, () => 0);
    await attempts.add(attempt("whe_1", 1, T));
    expect(none).toHaveBeenCalledTimes(1);
    expect(await attempts.page("whe_1", { limit: 3 })).toHaveLength(1);
  });

  test("the attempts of an endpoint are removed, of no other", async () => {
    const attempts = new AttemptLog(store);
    for (const [index, endpointId] of ["whe_0", "whe_1", "whe_1", "whe_10"].entries())
      await attempts.add(attempt(endpointId, index, T));
    expect(await Array.fromAsync(attempts.endpoints())).toStrictEqual(["whe_0", "whe_1", "whe_10"]);
    await attempts.removeAll("whe_1");
    const left = ["whe_0", "whe_1", "whe_10"].map(async (id) => (await attempts.page(id, { limit: 3 })).length);
    expect(await Promise.all(left)).toStrictEqual([1, 0, 1]);
  });

  test("the status of an unknown endpoint, and of one with pending deliveries", async () => {
    const healthy = { status: "active", reason: null, since: null, owed: 0, oldestOwedAt: null };
    expect(await log.status("whe_1", T)).toStrictEqual(healthy);
    await owe("whe_1", "bkg_1", 7, 8);
    await owe("whe_1", "bkg_2", 5);
    await owe("whe_2", "bkg_1", 1);
    expect(await log.status("whe_1", T)).toStrictEqual({ ...healthy, owed: 3, oldestOwedAt: 5 });
  });

  test("five days of failure show as paused before the sweep has paused it", async () => {
    await new EndpointStates(store).change("whe_1", (health) =>
      afterFailure(health, { at: T, reason: "500", gone: false }),
    );
    expect(await log.status("whe_1", T + 5 * DAY - 1)).toMatchObject({ status: "failing", since: T, reason: "500" });
    expect(await log.status("whe_1", T + 5 * DAY)).toMatchObject({ status: "paused", since: T + 5 * DAY });
  });

  test("resuming makes it active and wakes all of its lanes", async () => {
    await new EndpointStates(store).change("whe_1", (health) =>
      afterFailure(health, { at: T, reason: "410", gone: true }),
    );
    expect(await log.status("whe_1", T)).toMatchObject({ status: "paused", reason: "410" });
    await log.resume("whe_1", T + 1);
    expect(await log.status("whe_1", T + 1)).toMatchObject({ status: "active", since: T + 1, reason: null });
    expect(woken).toStrictEqual(["whe_1/"]);
  });

  test("stopping is for good: a resume or a failure changes nothing", async () => {
    const endpoints = new EndpointStates(store);
    await log.stop("whe_1", T);
    await log.resume("whe_1", T);
    await endpoints.change("whe_1", (health) => afterFailure(health, { at: T, reason: "500", gone: false }));
    expect(await endpoints.get("whe_1")).toStrictEqual({ health: HEALTHY, deletedAt: T });
  });

  test("an unavailable queue does not prevent resuming or deleting", async () => {
    const unheard = new EndpointDeliveries({ store, wake: () => Promise.reject(new Error("no queue")) });
    await unheard.resume("whe_1", T);
    await unheard.stop("whe_1", T);
    expect((await new EndpointStates(store).get("whe_1")).deletedAt).toBe(T);
  });

  test("the endpoints that have lanes are found without reading all of them", async () => {
    for (const endpointId of ["whe_1", "whe_10", "whe_2"]) {
      for (let n = 0; n < 3; n += 1) await owe(endpointId, `bkg_${n}`, n);
    }
    const found: string[] = [];
    for await (const endpointId of new Lanes(store).endpoints()) found.push(endpointId);
    expect(found.toSorted()).toStrictEqual(["whe_1", "whe_10", "whe_2"]);
  });

  test("an empty lane is removed, unless it is changed at the same time", async () => {
    const lanes = new Lanes(store);
    const key = laneKey({ endpointId: "whe_1", about: "bkg" });
    await Promise.all(
      Array.from({ length: 20 }, (_unused, n) =>
        lanes.change(key, (lane = { ...newLane("acc"), holder: null }) => ({ ...lane, more: lane.more + n })),
      ),
    );
    const stored = await lanes.get(key);
    expect([stored?.lane.more, parseLaneKey(key)]).toStrictEqual([190, { endpointId: "whe_1", about: "bkg" }]);
    const keepEmpty = () => true;
    await lanes.change(key, (lane) => lane && { ...lane, more: 0 }, keepEmpty);
    expect(await lanes.get(key)).toBeDefined();
    await lanes.change(key, (lane) => lane);
    expect(await lanes.get(key)).toBeUndefined();
    await lanes.change(key, () => undefined);
    expect(await lanes.get(key)).toBeUndefined();
  });
});

/** The stored form of older releases, with the last recovery only. */
const olderState = (restart: object | null, status: string) => {
  const { restarts: _, ...health } = HEALTHY;
  return { deletedAt: null, health: { ...health, status, failingSince: status === "failing" ? 5 : null, restart } };
};

test("an endpoint state of an older release is read and changed", async () => {
  const store = new InMemoryStateStore();
  const states = new EndpointStates(store);
  const restart = { since: 1, at: 2, resumed: true };
  await store.put("webhook-endpoint-states", "whe_1", olderState(restart, "failing"));
  await store.put("webhook-endpoint-states", "whe_2", olderState(null, "active"));
  expect((await states.get("whe_1")).health).toStrictEqual({
    ...HEALTHY,
    status: "failing",
    failingSince: 5,
    restarts: [restart],
  });
  expect((await states.get("whe_2")).health).toStrictEqual(HEALTHY);
  await states.change("whe_1", (health) => afterResume(health, 9));
  expect((await states.get("whe_1")).health.restarts).toStrictEqual([restart, { since: 5, at: 9, resumed: true }]);
});
