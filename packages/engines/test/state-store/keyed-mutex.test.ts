import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { KeyedMutex } from "../../src/state-store/mongodb/keyed-mutex.ts";

class Gone extends Error {}

function turns(): KeyedMutex {
  return new KeyedMutex((error) => error instanceof Gone);
}

test("work on one key is done in the order of the calls, on different keys at once", async () => {
  const queue = turns();
  const done: string[] = [];
  const work = (key: string, name: string) =>
    queue.run(key, async () => {
      await setImmediate();
      done.push(name);
    });
  await Promise.all([work("a", "a1"), work("a", "a2"), work("b", "b1"), work("a", "a3"), work("b", "b2")]);
  expect(done).toStrictEqual(["a1", "b1", "a2", "b2", "a3"]);
});

test("a failure that ends the queue fails what waits behind it, and not what comes later", async () => {
  const queue = turns();
  let runs = 0;
  const gone = queue.run("a", () => Promise.reject(new Gone()));
  const behind = [1, 2].map(() => queue.run("a", async () => ++runs));
  const other = queue.run("b", async () => "other");
  for (const failed of [gone, ...behind]) await expect(failed).rejects.toBeInstanceOf(Gone);
  expect(await other).toBe("other");
  expect(await queue.run("a", async () => ++runs)).toBe(1);
});

test("any other failure is its own", async () => {
  const queue = turns();
  const failed = queue.run("a", () => Promise.reject(new TypeError("mine")));
  const behind = queue.run("a", async () => "done");
  await expect(failed).rejects.toThrow("mine");
  expect(await behind).toBe("done");
});

test("finished waits for all that was called before", async () => {
  const queue = turns();
  const done: string[] = [];
  const work = queue.run("a", async () => {
    await setImmediate();
    done.push("a");
  });
  await queue.drained();
  expect(done).toStrictEqual(["a"]);
  await work;
});
