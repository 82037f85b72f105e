import { expect, test } from "@jest/globals";
import { Fifo } from "../src/fifo.ts";

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
