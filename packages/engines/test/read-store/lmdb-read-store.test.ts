import fs from "node:fs";
import { describeReadStore } from "../../contract/read-store-contract.ts";
import { openLmdbReadStore } from "../../src/read-store/lmdb/lmdb-read-store.ts";
import { openRoot, temporaryFolder } from "../../testing/read-store/index.ts";

describeReadStore("lmdb", async () => {
  const folder = temporaryFolder();
  let root = openRoot(folder);
  return {
    store: openLmdbReadStore(root),
    async reopen() {
      await root.close();
      root = openRoot(folder);
      return openLmdbReadStore(root);
    },
    async close() {
      await root.close();
      fs.rmSync(folder, { recursive: true });
    },
  };
});
