import { expect, test } from "@jest/globals";
import type { PageItem, PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import { listItems } from "../../src/operator/operator-services.ts";

const COUNT = 3_000;
const sortOf = (index: number) => String(index).padStart(4, "0");

test("a list is read a page at a time, as far as it is used", async () => {
  let reads = 0;
  const page = async (_: string, { after = "", limit }: PageRequest): Promise<readonly PageItem[]> => {
    reads += 1;
    const all = Array.from({ length: COUNT }, (_, index) => ({
      key: "k",
      sort: sortOf(index),
      json: "",
      staleAt: null,
    }));
    return all.filter(({ sort }) => sort > after).slice(0, limit);
  };
  const found: string[] = [];
  for await (const { sort } of listItems({ page } as ReadModels, "m", "i", "p")) {
    if (found.push(sort) === 1) expect(reads).toBe(1);
  }
  expect(found).toStrictEqual(Array.from({ length: COUNT }, (_, index) => sortOf(index)));
  expect(reads).toBe(4);
});
