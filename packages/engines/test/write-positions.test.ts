import { expect, test } from "@jest/globals";
import { describeWritePositions } from "../contract/write-positions-contract.ts";
import { SharedRead } from "../src/shared-read.ts";
import { InMemoryWritePositions } from "../src/write-positions/memory.ts";

describeWritePositions("memory", async () => ({
  instances: [new InMemoryWritePositions()],
  dispose: async () => undefined,
}));

test("positions only grow, and a forgotten credential waits for the highest forgotten one", () => {
  const positions = new InMemoryWritePositions(2);
  positions.record("a", 5n);
  positions.record("a", 3n);
  expect([positions.positionOf("a"), positions.positionOf("b")]).toStrictEqual([5n, undefined]);
  positions.record("b", 1n);
  positions.record("c", 2n);
  expect(["a", "b", "c", "d"].map((id) => positions.positionOf(id))).toStrictEqual([5n, 1n, 2n, 5n]);
});

/** Calls of `head`, answered when the test says. */
function counted() {
  const calls: PromiseWithResolvers<bigint>[] = [];
  const head = new SharedRead(() => {
    const call = Promise.withResolvers<bigint>();
    calls.push(call);
    return call.promise;
  });
  return { calls, head };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("those who ask at once share a call; those who come while it is under way share the next", async () => {
  const { calls, head } = counted();
  const first = [head.read(), head.read()];
  await turn();
  const second = [head.read(), head.read()];
  await turn();
  expect(calls.length).toBe(1);
  calls[0]?.resolve(5n);
  expect(await Promise.all(first)).toStrictEqual([5n, 5n]);
  await turn();
  const third = head.read();
  calls[1]?.resolve(6n);
  expect(await Promise.all(second)).toStrictEqual([6n, 6n]);
  await turn();
  calls[2]?.resolve(7n);
  expect([await third, calls.length]).toStrictEqual([7n, 3]);
});

test("a failure is that of those who shared it", async () => {
  const { calls, head } = counted();
  const first = head.read();
  await turn();
  const second = head.read();
  calls[0]?.reject(new Error("away"));
  await expect(first).rejects.toStrictEqual(new Error("away"));
  await turn();
  calls[1]?.resolve(1n);
  expect(await second).toBe(1n);
});
