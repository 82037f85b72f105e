import { afterEach, expect, jest, test } from "@jest/globals";
import { Fifo } from "../src/fifo.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

test("what came first leaves first, also while more comes", () => {
  const queue = new Fifo<number>();
  const left: (number | undefined)[] = [];
  for (let number = 0; number < 1_000; number += 1) {
    queue.push(number);
    if (number % 3 === 0) left.push(queue.shift());
  }
  expect([queue.size, queue.peek()]).toStrictEqual([666, 334]);
  while (queue.size > 0) left.push(queue.shift());
  expect(left).toStrictEqual(Array.from({ length: 1_000 }, (_, number) => number));
  expect([queue.shift(), queue.peek(), queue.size]).toStrictEqual([undefined, undefined, 0]);
  queue.push(7);
  queue.clear();
  expect(queue.size).toBe(0);
});

test.each([1_000, 100_000])("of %d that wait each is moved once at most until all have left", (count) => {
  const queue = new Fifo<number>();
  for (let number = 0; number < count; number += 1) queue.push(number);
  const slice = jest.spyOn(Array.prototype, "slice");
  while (queue.size > 0) queue.shift();
  const moved = slice.mock.results.reduce((sum, { value }) => sum + (value as readonly number[]).length, 0);
  expect(moved).toBeLessThanOrEqual(count);
});
