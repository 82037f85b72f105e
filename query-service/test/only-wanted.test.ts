import { expect, test } from "@jest/globals";
import { MAX_PAGE_CHARACTERS } from "@travel-booking/engines/read-store";
import { onlyWanted, type ReadEntry } from "../src/only-wanted.ts";

const sortOf = (number: number) => String(number).padStart(4, "0");

/** A list of numbers, and how many of them were read. */
function listOf(length: number, more: (number: number) => Partial<ReadEntry> = () => ({})) {
  const counts = { entries: 0, most: 0 };
  const numbers = Array.from({ length }, (_, number) => number);
  const read = async ({ limit, after }: { readonly limit: number; readonly after?: string }) => {
    const behind = numbers.filter((number) => after === undefined || sortOf(number) > after).slice(0, limit);
    counts.entries += behind.length;
    counts.most = Math.max(counts.most, limit);
    return behind.map((number) => ({ json: String(number), sort: sortOf(number), ...more(number) }));
  };
  return { counts, read };
}

const everyTenth = ({ json }: { readonly json: string }) => Number(json) % 10 === 0;
const shown = (entries: readonly ReadEntry[]) => entries.map(({ json, more }) => [json, more ?? false]);

test("as many as were asked for, from a place on, and no more are looked at a turn than by default on a page", async () => {
  const { counts, read } = listOf(200);
  expect(shown(await onlyWanted(read, everyTenth)({ limit: 3, after: sortOf(20) }))).toStrictEqual(
    ["30", "40", "50"].map((json) => [json, false]),
  );
  expect(counts).toStrictEqual({ entries: 42, most: 21 });
  expect(await onlyWanted(read, everyTenth)({ limit: 30, after: sortOf(150) })).toHaveLength(4);
});

test("an answer ends where much was read for it, with or without an entry", async () => {
  const size = MAX_PAGE_CHARACTERS / 16;
  const { counts, read } = listOf(200, () => ({ size }));
  const wanted = onlyWanted(read, everyTenth);
  expect(shown(await wanted({ limit: 1 }))).toStrictEqual([["0", false]]);
  expect(shown(await wanted({ limit: 5, after: sortOf(0) }))).toStrictEqual([
    ["10", false],
    [null, true],
  ]);
  expect(counts.entries).toBe(42);
  expect(shown(await onlyWanted(read, ({ json }) => json === "15")({ limit: 5 }))).toStrictEqual([["15", true]]);
});

test("an entry behind which nothing was read says so, wanted or not", async () => {
  const { read } = listOf(30, (number) => (number === 10 || number === 11 ? { more: true } : {}));
  expect(shown(await onlyWanted(read, everyTenth)({ limit: 5 }))).toStrictEqual([
    ["0", false],
    ["10", true],
  ]);
  expect(shown(await onlyWanted(read, everyTenth)({ limit: 5, after: sortOf(10) }))).toStrictEqual([[null, true]]);
});
