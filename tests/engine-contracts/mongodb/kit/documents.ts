import type { Document, Generation, ReadModels, ReadStore, Write } from "@travel-booking/engines/read-store";

export const GENERATION: Generation = { projection: "ships", generation: 1 };
export const MODEL = "ships.ship";
export const LISTED = { index: "all", partition: "all", order: "ascending", limit: 10_000 } as const;

export function ship(key: string, position: bigint, more: Partial<Document> = {}): Document {
  return {
    key,
    position,
    created: 1n,
    body: JSON.stringify({ key, position: String(position) }),
    state: { key, position: String(position) },
    indexes: { all: { partition: "all", sort: key } },
    staleAt: null,
    ...more,
  };
}

export function put(document: Document, model = MODEL): Write {
  return { kind: "put", model, document };
}

/** A generation, the first, that is live and empty. */
export async function createLive(store: ReadStore, projection = GENERATION.projection): Promise<Generation> {
  const generation = await store.create(projection, 1);
  await store.switchLive(generation);
  return generation;
}

/** Everything a reader sees in the list of all ships, as it was written: without what the engine tells of what it has read. */
export async function allDocuments(models: ReadModels, model = MODEL): Promise<readonly (Document | undefined)[]> {
  models.refresh();
  const items = await models.page(model, LISTED);
  return Promise.all(
    items.map(async ({ key }) => {
      const { size: _, ...written } = (await models.document(model, key)) ?? {};
      return written as Document;
    }),
  );
}
