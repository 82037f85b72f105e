import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { SlowEndpointTracker } from "../../src/lanes/slow-endpoint-tracker.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function setUp() {
  const changes: string[] = [];
  const paces = new SlowEndpointTracker(
    (endpointId, slow) => void changes.push(`${endpointId} ${slow ? "slow" : "quick"}`),
  );
  const quick = (endpointId: string) => paces.track(endpointId, async () => undefined);
  /** An attempt that is late already. */
  const late = async (endpointId: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ended = paces.track(endpointId, () => promise);
    jest.advanceTimersByTime(1_000);
    return async () => {
      resolve();
      await ended;
    };
  };
  return { paces, changes, quick, late };
}

test("an endpoint is slow as soon as an attempt takes too long, and stays slow when it ends", async () => {
  const { paces, changes, quick, late } = setUp();
  await quick("a");
  expect(paces.isSlow("a")).toBe(false);
  const end = await late("a");
  expect([paces.isSlow("a"), paces.isSlow("b"), changes]).toStrictEqual([true, false, ["a slow"]]);
  await end();
  expect(paces.isSlow("a")).toBe(true);
});

test("four quick attempts in a row make it quick again", async () => {
  const { paces, changes, quick, late } = setUp();
  await (await late("a"))();
  for (let n = 0; n < 3; n += 1) await quick("a");
  await (await late("a"))();
  for (let n = 0; n < 3; n += 1) await quick("a");
  expect(paces.isSlow("a")).toBe(true);
  await quick("a");
  expect([paces.isSlow("a"), changes]).toStrictEqual([false, ["a slow", "a quick"]]);
});

test("not while one is still late", async () => {
  const { paces, quick, late } = setUp();
  const end = await late("a");
  for (let n = 0; n < 9; n += 1) await quick("a");
  expect(paces.isSlow("a")).toBe(true);
  await end();
  await quick("a");
  expect(paces.isSlow("a")).toBe(false);
});

test("an attempt that throws does not count, and its error is passed on", async () => {
  const { paces, quick, late } = setUp();
  await (await late("a"))();
  const broken = () => paces.track("a", () => Promise.reject(new Error("stopped")));
  for (let n = 0; n < 4; n += 1) await expect(broken()).rejects.toThrow("stopped");
  for (let n = 0; n < 3; n += 1) await quick("a");
  expect(paces.isSlow("a")).toBe(true);
});

test("of more than ten thousand the oldest are evicted", async () => {
  const { paces, changes, late } = setUp();
  const others = Array.from({ length: 9_998 }, (_, n) => `${n}`);
  for (const endpointId of ["a", "b", ...others, "a", "c"]) await (await late(endpointId))();
  expect(["a", "b", "c"].map((endpointId) => paces.isSlow(endpointId))).toStrictEqual([true, false, true]);
  expect(changes.slice(-2)).toStrictEqual(["c slow", "b quick"]);
});
