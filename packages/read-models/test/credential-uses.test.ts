import { expect, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { lastUses, noteUses } from "../src/credential-uses.ts";

test("the last use of a credential is kept to the minute, with one write in it", async () => {
  let now = 1_000_000;
  let writes = 0;
  const state = new InMemoryStateStore();
  const counted: Pick<typeof state, "put"> = {
    put: async (...of) => {
      writes += 1;
      return state.put(...of);
    },
  };
  const note = noteUses(counted, { now: () => now });
  note("crd_a");
  note("crd_a");
  now += 59_999;
  note("crd_a");
  note("crd_b");
  expect([writes, [...(await lastUses(state))]]).toStrictEqual([
    2,
    [
      ["crd_a", 1_000_000],
      ["crd_b", 1_059_999],
    ],
  ]);
  now += 1;
  note("crd_a");
  expect((await lastUses(state)).get("crd_a")).toBe(1_060_000);
});

test("what could not be written is written at the next use", async () => {
  const state = new InMemoryStateStore();
  let isDown = true;
  const put: typeof state.put = async (...of) => {
    if (isDown) throw new Error("out of reach");
    return state.put(...of);
  };
  const note = noteUses({ put }, { now: () => 5 });
  note("crd_a");
  isDown = false;
  // The refusal arrives first.
  await Promise.resolve();
  await Promise.resolve();
  note("crd_a");
  expect([...(await lastUses(state))]).toStrictEqual([["crd_a", 5]]);
});
