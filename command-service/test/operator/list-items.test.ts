import { expect, test } from "@jest/globals";
import type { PageItem, PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import { currentRows, listItems, type OperatorServices } from "../../src/operator/operator-services.ts";

const COUNT = 3_000;
const SORTS = Array.from({ length: COUNT }, (_, index) => String(index).padStart(4, "0"));

/** A list, and how often it was read. */
function list() {
  const reads: PageRequest[] = [];
  const page = async (_: string, request: PageRequest): Promise<readonly PageItem[]> => {
    reads.push(request);
    const { after = "", limit } = request;
    const all = SORTS.map((sort) => ({ key: "k", sort, json: JSON.stringify({ sort }), staleAt: null }));
    return all.filter(({ sort }) => sort > after).slice(0, limit);
  };
  return { reads, models: { page } as ReadModels };
}

test("a list is read a page at a time, as far as it is used", async () => {
  const { reads, models } = list();
  const found: string[] = [];
  for await (const { sort } of listItems(models, "m", "i", "p")) {
    if (found.push(sort) === 1) expect(reads.length).toBe(1);
  }
  expect(found).toStrictEqual(SORTS);
  expect(reads.length).toBe(4);
});

test("of a list that customers make very long no more is read than is asked for", async () => {
  const { reads, models } = list();
  const services = { models, store: { head: async () => 0n }, waitUntilProjected: async () => undefined };
  const rows = (most?: number) => currentRows(services as unknown as OperatorServices, "m", "i", most);
  expect(await rows(2)).toStrictEqual([{ sort: "0000" }, { sort: "0001" }]);
  expect(reads.length).toBe(1);
  expect((await rows()).length).toBe(COUNT);
});
