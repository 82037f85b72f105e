import { expect, jest, test } from "@jest/globals";
import { FairQueue } from "../../src/processes/fair-queue.ts";

test.each([
  [1_000, 1],
  [100_000, 1],
  [1_000, 1_000],
  [100_000, 100_000],
])("of %d that wait for %d keys each is moved twice at most until all were taken", (count, keys) => {
  const queue = new FairQueue<number>();
  for (let item = 0; item < count; item += 1) queue.add(`key-${item % keys}`, item);
  const slice = jest.spyOn(Array.prototype, "slice");
  let taken = 0;
  for (let item = queue.take(); item !== undefined; item = queue.take()) {
    taken += 1;
    queue.release(`key-${item % keys}`);
  }
  const moved = slice.mock.results.reduce((sum, { value }) => sum + (value as readonly unknown[]).length, 0);
  slice.mockRestore();
  expect(taken).toBe(count);
  expect(moved).toBeLessThanOrEqual(2 * count);
});
