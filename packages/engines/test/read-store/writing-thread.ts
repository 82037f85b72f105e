import { parentPort, workerData } from "node:worker_threads";
import { openLmdbReadStore } from "../../src/read-store/lmdb/lmdb-read-store.ts";
import { openRoot } from "../../testing/read-store.ts";

const root = openRoot(String(workerData));
const store = openLmdbReadStore(root);
const generation = await store.create("ships", 1);
await store.switchLive(generation);

let count = 0;
let position = 0n;

async function put(number: number, key: string, body: string): Promise<void> {
  position++;
  const document = { key, position, created: 1n, body, state: null, indexes: {}, staleAt: null };
  const writes = [{ kind: "put", model: "ships.ship", document } as const];
  await store.write([{ ...generation, generation: number, checkpoint: position, writes }]);
}

parentPort?.on("message", async (message: "write" | "switch" | "reuse" | "stop") => {
  if (message === "stop") {
    await root.close();
    parentPort?.close();
    return;
  }
  switch (message) {
    case "write":
      await put(1, "a", String(++count));
      break;
    case "switch":
      await store.create("ships", 1);
      await put(2, "b", '"of generation 2"');
      await store.switchLive({ ...generation, generation: 2 });
      break;
    case "reuse":
      await store.drop(generation);
      await store.create("ships", 1);
      await put(3, "a", '"of generation 3"');
      await put(3, "b", '"of generation 3"');
  }
  parentPort?.postMessage("done");
});
parentPort?.postMessage("ready");
