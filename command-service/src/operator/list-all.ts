import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";

const PAGE = 500;

/** Every document of a list, in its order, parsed. */
export async function listAll(
  models: ReadModels,
  model: string,
  index: string,
  partition: string,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let after: string | undefined;
  do {
    const page = await models.page(model, {
      index,
      partition,
      order: "ascending",
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const item of page) all.push(parseBody(item));
    after = page.length < PAGE ? undefined : page.at(-1)?.sort;
  } while (after !== undefined);
  return all;
}
