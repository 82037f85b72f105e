import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { awaitAll, forEachConcurrent } from "../../../src/read-store/mongodb/collections.ts";

test("a failure is told when all has come to an end", async () => {
  let isDone = false;
  const slow = setImmediate().then(() => {
    isDone = true;
  });
  await expect(awaitAll([Promise.reject(new Error("first")), slow])).rejects.toThrow("first");
  expect(isDone).toBe(true);
});

test("so many are worked on at once, and all are", async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await forEachConcurrent(3, [1, 2, 3, 4, 5, 6, 7].values(), async (item) => {
    most = Math.max(most, ++running);
    await setImmediate();
    running--;
    done.push(item);
  });
  expect([most, done]).toStrictEqual([3, [1, 2, 3, 4, 5, 6, 7]]);
});

test("where one fails, what is under way is finished, and no other is begun", async () => {
  function* items(): Generator<number> {
    for (let n = 1; n <= 100; n++) yield n;
  }
  const begun: number[] = [];
  const finished: number[] = [];
  const working = forEachConcurrent(2, items(), async (item) => {
    begun.push(item);
    await setImmediate();
    if (item === 1) throw new Error("one");
    finished.push(item);
  });
  await expect(working).rejects.toThrow("one");
  expect([begun.length, finished.length]).toStrictEqual([2, 1]);
});
