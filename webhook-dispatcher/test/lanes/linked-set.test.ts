import { afterEach, expect, jest, test } from "@jest/globals";
import { LinkedSet } from "../../src/lanes/linked-set.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

test("values stay in the order in which they were added, each once, whichever are deleted", () => {
  const set = new LinkedSet<string>();
  for (const value of ["a", "b", "c", "a", "d", "e"]) set.add(value);
  expect([...set]).toStrictEqual(["a", "b", "c", "d", "e"]);
  expect(["a", "c", "e", "f"].map((value) => set.delete(value))).toStrictEqual([true, true, true, false]);
  set.add("a");
  expect([...set, set.first, set.size]).toStrictEqual(["b", "d", "a", "b", 3]);
  for (const value of [...set]) set.delete(value);
  expect([...set, set.first, set.size]).toStrictEqual([undefined, 0]);
});

test.each([1_000, 100_000])("of %d values the first is found, and one deleted, by one look", (count) => {
  const set = new LinkedSet<number>();
  for (let value = 0; value < count; value += 1) set.add(value);
  const looks = jest.spyOn(Map.prototype, "get");
  const walks = (["keys", "values", "entries", "forEach", Symbol.iterator] as const).map((way) =>
    jest.spyOn(Map.prototype, way as "keys"),
  );
  let [looked, walked] = [0, 0];
  for (let value = set.first; value !== undefined; value = set.first) set.delete(value);
  looked = looks.mock.calls.length;
  walked = walks.reduce((sum, walk) => sum + walk.mock.calls.length, 0);
  jest.restoreAllMocks();
  expect([looked, walked, set.size]).toStrictEqual([count, 0, 0]);
});
