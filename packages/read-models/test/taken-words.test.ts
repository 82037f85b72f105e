import { expect, jest, test } from "@jest/globals";
import { TakenWords } from "../src/sealed-words/sealed-json.ts";

const SEARCHES = ["find", "findIndex", "findLast", "findLastIndex", "some"] as const;

/** How many words are looked at to find one that is known, while this runs. */
function lookedAt(work: () => unknown): number {
  let looked = 0;
  const spies = SEARCHES.map((search) => {
    const original = Array.prototype[search] as (isFound: (...args: unknown[]) => boolean) => unknown;
    return jest.spyOn(Array.prototype, search).mockImplementation(function (this: unknown[], isFound: unknown) {
      const counted = (...args: unknown[]) => {
        looked += 1;
        return (isFound as (...args: unknown[]) => boolean)(...args);
      };
      return original.call(this, counted);
    } as never);
  });
  work();
  for (const spy of spies) spy.mockRestore();
  return looked;
}

test("a word is taken once, without a look at all others", () => {
  const take = (count: number) => {
    const words = Array.from({ length: count }, (_, index) => `word ${index}`);
    return new TakenWords().takeIntoText({ each: "text" }, [...words, ...words]);
  };
  expect(take(3)).toBe(`[${[0, 1, 2, 0, 1, 2].map((number) => `"\\u007f${number}"`)}]`);
  const COUNT = 2_000;
  expect(lookedAt(() => take(COUNT))).toBeLessThanOrEqual(2 * COUNT);
});

test("a word of two kinds is taken as both", () => {
  const places = { fields: { name: "text", country: "country" } } as const;
  const words = new TakenWords();
  expect(words.takeIntoText(places, { name: "GB", country: "GB" })).toBe('{"name":"\\u007f0","country":"\\u007f1"}');
});
