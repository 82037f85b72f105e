import { join } from "node:path";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import { LMDB_READ_STORE_DATABASES } from "@travel-booking/engines/read-store/lmdb";

interface GenerationRecord {
  readonly version: number;
}

/** Makes the read models of a stopped service those of a former version, which had no public events and no endpoints. */
export async function downgradeReadModels(dataDir: string): Promise<void> {
  const environment = openEnvironment({ path: join(dataDir, "read"), maxDbs: LMDB_READ_STORE_DATABASES });
  const { root } = environment;
  const generations = root.openDB<GenerationRecord, [string, number]>({ name: "5/generations", encoding: "json" });
  const live = root.openDB<GenerationRecord, string>({ name: "5/live", encoding: "json" });
  for (const { key, value } of [...generations.getRange({})]) await generations.put(key, { ...value, version: 0 });
  for (const { key, value } of [...live.getRange({})]) await live.put(key, { ...value, version: 0 });
  for (const name of [...root.getKeys({})].map(String)) {
    if (!/^5\/(bookings|webhooks)\//.test(name)) continue;
    await root.openDB({ name, encoding: "binary", dupSort: /\d$/.test(name) }).clearAsync();
  }
  await environment.close();
}
