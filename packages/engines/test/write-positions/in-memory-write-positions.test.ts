import { expect, test } from "@jest/globals";
import { InMemoryWritePositions } from "../../src/write-positions/memory.ts";

test("positions only grow, and a forgotten credential waits for the highest forgotten one", () => {
  const positions = new InMemoryWritePositions(2);
  positions.record("a", 5n);
  positions.record("a", 3n);
  expect([positions.positionOf("a"), positions.positionOf("b")]).toStrictEqual([5n, undefined]);
  positions.record("b", 1n);
  positions.record("c", 2n);
  expect(["a", "b", "c", "d"].map((id) => positions.positionOf(id))).toStrictEqual([5n, 1n, 2n, 5n]);
});
