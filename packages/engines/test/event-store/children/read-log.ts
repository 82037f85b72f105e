import { parentPort, workerData } from "node:worker_threads";
import { AppendNotifier } from "../../../src/event-store/index.ts";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventLogReader } from "../../../src/event-store/lmdb/lmdb-event-store.ts";
import { openEnvironment } from "../../../src/lmdb/index.ts";

/** A worker thread that tells the main one of every batch it reads. */
const { path, wakeUp } = workerData;
const environment = openEnvironment({ path, maxDbs: LMDB_EVENT_STORE_DATABASES });
const reader = openLmdbEventLogReader(environment, { appendNotifier: new AppendNotifier(wakeUp) });
const abort = new AbortController();
parentPort?.once("message", () => abort.abort());
parentPort?.postMessage({ head: await reader.head() });
for await (const batch of reader.subscribe({ after: 0n, signal: abort.signal })) parentPort?.postMessage({ batch });
await environment.close();
parentPort?.postMessage({ ended: true });
