import { expect, test } from "@jest/globals";
import { ManualClock, SandboxClock } from "@travel-booking/runtime";

function keptIn(kept: { offset?: number; fails?: boolean }) {
  return {
    load: async () => kept.offset,
    store: async (offset: number) => {
      if (kept.fails) throw new Error("disk full");
      kept.offset = offset;
    },
  };
}

test("runs with real time, ahead of it, also after a restart", async () => {
  const kept: { offset?: number } = {};
  const base = new ManualClock(1_000);
  const clock = await SandboxClock.open(base, keptIn(kept));
  expect(clock.now()).toBe(1_000);
  await clock.advance(500);
  base.advance(10);
  expect([clock.now(), clock.offset, kept.offset]).toStrictEqual([1_510, 500, 500]);
  const restarted = await SandboxClock.open(base, keptIn(kept));
  expect(restarted.now()).toBe(1_510);
});

test("goes to a moment, but never back", async () => {
  const clock = await SandboxClock.open(new ManualClock(1_000), keptIn({}));
  await clock.advanceTo(3_000);
  await clock.advanceTo(2_000);
  expect(clock.now()).toBe(3_000);
  for (const odd of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => clock.advance(odd)).toThrow(RangeError);
});

test("concurrent advances add up", async () => {
  const clock = await SandboxClock.open(new ManualClock(0), keptIn({}));
  await Promise.all([clock.advance(1), clock.advance(2), clock.advance(3)]);
  expect(clock.now()).toBe(6);
});

test("an advance that could not be stored has no effect", async () => {
  const kept = { fails: true };
  const clock = await SandboxClock.open(new ManualClock(0), keptIn(kept));
  await expect(clock.advance(5)).rejects.toThrow("disk full");
  expect(clock.now()).toBe(0);
  kept.fails = false;
  await clock.advance(5);
  expect(clock.now()).toBe(5);
});

test("loads the offset of another process, but never goes back", async () => {
  const kept: { offset?: number } = {};
  const clock = await SandboxClock.open(new ManualClock(0), keptIn(kept));
  kept.offset = 7;
  await clock.refresh();
  kept.offset = 3;
  await clock.refresh();
  expect(clock.now()).toBe(7);
});
