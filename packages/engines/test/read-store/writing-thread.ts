import { parentPort, workerData } from "node:worker_threads";
import { openLmdbReadStore } from "../../src/read-store/lmdb/lmdb-read-store.ts";
import { openRoot } from "../../testing/read-store.ts";

const generation = { projection: "ships", generation: 1 };
const root = openRoot(String(workerData));
const store = openLmdbReadStore(root);
await store.create(generation, 1);
await store.switchLive(generation);

let count = 0;
parentPort?.on("message", async (message: "write" | "switch" | "stop") => {
  if (message === "stop") {
    await root.close();
    parentPort?.close();
    return;
  }
  if (message === "write") {
    const position = BigInt(++count);
    const document = { key: "a", position, created: 1n, body: String(count), state: null, indexes: {}, staleAt: null };
    await store.write([
      { ...generation, checkpoint: position, writes: [{ kind: "put", model: "ships.ship", document }] },
    ]);
  } else {
    await store.create({ ...generation, generation: 2 }, 1);
    await store.switchLive({ ...generation, generation: 2 });
  }
  parentPort?.postMessage("done");
});
parentPort?.postMessage("ready");
