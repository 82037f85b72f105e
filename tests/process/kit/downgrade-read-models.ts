import { join } from "node:path";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import { LMDB_READ_STORE_DATABASES } from "@travel-booking/engines/read-store/lmdb";

/** Of what no earlier version of the service has made. */
const NEWER = ["bookings.event", "webhooks.endpoint"];

/**
 * Makes the read models of a stopped service what the first version of the projections would have left: bookings
 * without their events, and no webhook endpoints.
 */
export async function downgradeReadModels(dataDir: string): Promise<void> {
  const environment = openEnvironment({ path: join(dataDir, "read"), maxDbs: LMDB_READ_STORE_DATABASES });
  const { root } = environment;
  const generations = root.openDB<{ version: number }, [string, number]>({ name: "generations", encoding: "json" });
  const live = root.openDB<Buffer, string>({ name: "live", encoding: "binary" });
  await root.transaction(() => {
    for (const { key, value } of generations.getRange({})) {
      if (key[0] === "bookings") void generations.put(key, { ...value, version: 1 });
      if (key[0] === "webhooks") void generations.remove(key);
    }
    void live.remove("webhooks");
    for (const name of ["documents", "rows"]) {
      const database = root.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });
      const keys = [...database.getKeys({})].map((key) => Buffer.from(key));
      for (const key of keys) if (NEWER.some((model) => key.includes(model))) void database.remove(key);
    }
  });
  await environment.close();
}
