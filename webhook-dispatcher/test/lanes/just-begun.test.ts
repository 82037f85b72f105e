import { expect, test } from "@jest/globals";
import { JustBegun } from "../../src/lanes/just-begun.ts";

function setUp(momentMs: number) {
  const time = { now: 0 };
  const { promise: told, resolve: room } = Promise.withResolvers<void>();
  return { time, told, begun: new JustBegun({ room, most: 2, momentMs, now: () => time.now }) };
}

test("so many at a time; one that ends makes room", () => {
  const { begun } = setUp(60_000);
  const first = begun.begin();
  expect(begun.mayBegin()).toBe(true);
  begun.begin();
  expect(begun.mayBegin()).toBe(false);
  begun.end(first);
  begun.end(first);
  expect(begun.mayBegin()).toBe(true);
  begun.begin();
  expect(begun.mayBegin()).toBe(false);
});

test("what has taken longer than a moment does not count, and its end makes no more room", () => {
  const { begun, time } = setUp(60_000);
  const [slow] = [begun.begin(), begun.begin()];
  time.now = 59_999;
  expect(begun.mayBegin()).toBe(false);
  time.now = 60_000;
  expect(begun.mayBegin()).toBe(true);
  begun.begin();
  begun.begin();
  expect(begun.mayBegin()).toBe(false);
  begun.end(slow);
  expect(begun.mayBegin()).toBe(false);
});

test("whoever found no room is told when there is", async () => {
  const { begun, time, told } = setUp(1);
  begun.begin();
  begun.begin();
  expect(begun.mayBegin()).toBe(false);
  await told;
  time.now = 1;
  expect(begun.mayBegin()).toBe(true);
});
