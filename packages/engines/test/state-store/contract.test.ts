import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeStateStore } from "../../contract/state-store-contract.ts";
import { openEnvironment } from "../../src/lmdb/index.ts";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "../../src/state-store/lmdb/lmdb-state-store.ts";
import { InMemoryStateStore } from "../../src/state-store/memory.ts";

describeStateStore("LMDB", async () => {
  const folder = mkdtempSync(join(tmpdir(), "state-store-"));
  const environment = openEnvironment({ path: folder, maxDbs: LMDB_STATE_STORE_DATABASES });
  const onFatal = (error: Error) => {
    throw error;
  };
  return {
    store: openLmdbStateStore(environment, { onFatal }),
    async dispose() {
      await environment.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

describeStateStore("in memory", async () => ({ store: new InMemoryStateStore(), dispose: async () => {} }));
