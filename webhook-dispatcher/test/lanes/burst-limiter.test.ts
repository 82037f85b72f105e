import { expect, test } from "@jest/globals";
import { BurstLimiter } from "../../src/lanes/slots.ts";

function setUp(momentMs: number) {
  const time = { now: 0 };
  const { promise: told, resolve: room } = Promise.withResolvers<void>();
  return {
    time,
    told,
    begun: new BurstLimiter({ onCapacity: room, maxRecentStarts: 2, windowMs: momentMs, now: () => time.now }),
  };
}

test("so many at a time; one that ends makes room", () => {
  const { begun } = setUp(60_000);
  const first = begun.acquire();
  expect(begun.hasCapacity()).toBe(true);
  begun.acquire();
  expect(begun.hasCapacity()).toBe(false);
  begun.release(first);
  begun.release(first);
  expect(begun.hasCapacity()).toBe(true);
  begun.acquire();
  expect(begun.hasCapacity()).toBe(false);
});

test("what has taken longer than a moment does not count, and its end makes no more room", () => {
  const { begun, time } = setUp(60_000);
  const [slow] = [begun.acquire(), begun.acquire()];
  time.now = 59_999;
  expect(begun.hasCapacity()).toBe(false);
  time.now = 60_000;
  expect(begun.hasCapacity()).toBe(true);
  begun.acquire();
  begun.acquire();
  expect(begun.hasCapacity()).toBe(false);
  begun.release(slow);
  expect(begun.hasCapacity()).toBe(false);
});

test("whoever found no room is told when there is", async () => {
  const { begun, time, told } = setUp(1);
  begun.acquire();
  begun.acquire();
  expect(begun.hasCapacity()).toBe(false);
  await told;
  time.now = 1;
  expect(begun.hasCapacity()).toBe(true);
});
