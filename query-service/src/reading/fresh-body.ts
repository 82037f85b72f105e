import type { Body, PageItem, ReadModels } from "@travel-booking/engines/read-store";
import type { PageEntry } from "@travel-booking/http";
import type { QueryDependencies } from "../query-dependencies.ts";

/**
 * The public JSON of a document as it stands at `now`, made from what the projection folds on; undefined where that
 * is gone.
 */
export type RecomputeBody = (models: ReadModels, key: string, now: number) => Promise<string | undefined>;

type Dependencies = Pick<QueryDependencies, "models" | "clock">;

async function freshJson(
  { models, clock }: Dependencies,
  key: string,
  body: Body,
  remake: RecomputeBody,
): Promise<Uint8Array> {
  const now = clock.now();
  if (body.staleAt === null || now < body.staleAt) return body.json;
  const json = await remake(models, key, now);
  return json === undefined ? body.json : Buffer.from(json);
}

/** One body, true at this moment: as it is stored, unless time has moved on from it. Undefined: there is none. */
export async function freshBody(
  dependencies: Dependencies,
  model: string,
  key: string,
  remake: RecomputeBody,
): Promise<Uint8Array | undefined> {
  const body = await dependencies.models.body(model, key);
  return body === undefined ? undefined : freshJson(dependencies, key, body, remake);
}

/** The same for one page of a list. */
export function freshEntries(
  dependencies: Dependencies,
  items: readonly PageItem[],
  remake: RecomputeBody,
): Promise<readonly PageEntry[]> {
  return Promise.all(
    items.map(async (item) => ({ sort: item.sort, json: await freshJson(dependencies, item.key, item, remake) })),
  );
}
