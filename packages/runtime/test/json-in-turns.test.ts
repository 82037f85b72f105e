import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { jsonInTurns } from "../src/json-in-turns.ts";

/** The text, and how often others had a turn before it was there. */
async function written(value: unknown) {
  let [turns, text] = [0, undefined as string | undefined];
  const done = jsonInTurns(value).then((json) => {
    text = json;
  });
  for (await setImmediate(); text === undefined && turns < 100; await setImmediate()) turns += 1;
  await done;
  return { text, turns };
}

const row = { a: 'b"\u2028', nothing: null, left: undefined, at: new Date(0), list: [1.5, undefined, true], none: {} };

test.each<readonly [string, unknown, number]>([
  ["a small one", row, 0],
  ["a long list", { first: 1, rows: Array.from({ length: 10_000 }, () => row), gone: undefined, last: [] }, 20],
  ["lists in lists", [[Array.from({ length: 9_000 }, () => [undefined, "x"])], undefined], 5],
  ["long texts", Array.from({ length: 50 }, () => "x".repeat(100_000)), 12],
])("%s is written as JSON.stringify writes it, in turns", async (_, value, turns) => {
  const { text, turns: had } = await written(value);
  expect(text === JSON.stringify(value)).toBe(true);
  expect(had).toBe(turns);
});

test("what JSON knows nothing of is undefined", async () => {
  expect(await jsonInTurns(undefined)).toBe(undefined);
});
