import { join } from "node:path";
import { type Environment, openEnvironment } from "@travel-booking/engines/lmdb";
import { LMDB_READ_STORE_DATABASES } from "@travel-booking/engines/read-store/lmdb";

interface GenerationRecord {
  readonly slot: number;
  readonly version: number;
}

/**
 * Makes the read models of a stopped service what the first version of the projections would have left: bookings
 * without their events, and no webhook endpoints.
 */
export async function downgradeReadModels(dataDir: string): Promise<void> {
  const environment = openEnvironment({ path: join(dataDir, "read"), maxDbs: LMDB_READ_STORE_DATABASES });
  const { root } = environment;
  const generations = root.openDB<GenerationRecord, [string, number]>({ name: "2/generations", encoding: "json" });
  const live = root.openDB<Buffer, string>({ name: "2/live", encoding: "binary" });
  for (const { key, value } of [...generations.getRange({})]) {
    if (key[0] === "bookings") {
      await generations.put(key, { ...value, version: 1 });
      await removeModel(root, value.slot, "event");
    }
    if (key[0] === "webhooks") {
      await removeModel(root, value.slot, "endpoint");
      await generations.remove(key);
    }
  }
  await live.remove("webhooks");
  await environment.close();
}

/** Keys of documents and rows begin with the length of the model's name, and the name. */
async function removeModel(root: Environment["root"], slot: number, model: string): Promise<void> {
  for (const name of [`2/documents/${slot}`, `2/rows/${slot}`]) {
    const database = root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });
    const keys = [...database.getKeys({})].map((key) => Buffer.from(key));
    const ofModel = keys.filter((key) => key.toString("latin1", 1, 1 + (key[0] ?? 0)) === model);
    for (const key of ofModel) await database.remove(key);
  }
}
