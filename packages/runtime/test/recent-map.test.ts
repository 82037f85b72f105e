import { expect, test } from "@jest/globals";
import { RecentMap } from "../src/recent-map.ts";

test.each([1_000, 100_000, 400_000])("of %d entries those used last are remembered, and a bounded number", (count) => {
  const map = new RecentMap<number>(50_000);
  for (let n = 0; n < count; n++) {
    map.set(`key-${n}`, n);
    map.trim();
  }
  const numbers = Array.from({ length: count }, (_, n) => n);
  const remembered = numbers.filter((n) => map.get(`key-${n}`) === n);
  expect(remembered.slice(-1_000)).toStrictEqual(numbers.slice(-1_000));
  expect(remembered.length).toBeGreaterThanOrEqual(Math.min(count, 50_000));
  expect(remembered.length).toBeLessThan(100_000);
});

test("entries count by their weight, what is used stays, and what is deleted is gone", () => {
  const map = new RecentMap<string | null>(10, (value) => value?.length ?? 1);
  map.set("used", "12345");
  map.set("unused", "12345");
  map.trim();
  expect(map.get("used")).toBe("12345");
  map.set("removed", null);
  map.set("deleted", "1234");
  map.trim();
  expect(["used", "unused", "removed", "deleted"].map((key) => map.get(key))).toStrictEqual([
    "12345",
    undefined,
    null,
    "1234",
  ]);
  map.set("used", "1");
  map.grow(9);
  map.trim();
  map.set("new", "1234567890");
  map.trim();
  expect(["used", "removed", "new"].map((key) => map.get(key))).toStrictEqual([undefined, undefined, "1234567890"]);
  map.set("deleted", "1234");
  map.delete("deleted");
  expect(map.get("deleted")).toBeUndefined();
});
