import { type Db, MongoClient } from "mongodb";

interface StoredProjection {
  readonly _id: string;
  readonly live: number | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Every document that readers can see, by collection without its generation, then key; read from the server itself. */
export async function everyDocument(mongodbUrl: string): Promise<ReadonlyMap<string, ReadonlyMap<string, Fields>>> {
  const client = new MongoClient(mongodbUrl);
  try {
    const db = client.db();
    const live = await liveGenerations(db);
    const models = new Map<string, ReadonlyMap<string, Fields>>();
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      const [model = "", generation] = name.split("@");
      if (generation === undefined || live.get(model.split(".")[0] ?? "") !== Number(generation)) continue;
      models.set(model, await documentsOf(db, name));
    }
    return models;
  } finally {
    await client.close();
  }
}

async function liveGenerations(db: Db): Promise<ReadonlyMap<string, number | null>> {
  const projections = await db.collection<StoredProjection>("projections").find().toArray();
  return new Map(projections.map(({ _id, live }) => [_id, live]));
}

async function documentsOf(db: Db, collection: string): Promise<ReadonlyMap<string, Fields>> {
  const documents = new Map<string, Fields>();
  for await (const { _id, ...fields } of db.collection<{ _id: string }>(collection).find()) {
    if (!("deleted" in fields)) documents.set(_id, fields);
  }
  return documents;
}
