import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "../../../src/event-store/lmdb/lmdb-event-store.ts";
import { openEnvironment } from "../../../src/lmdb/index.ts";
import { anEventToAppend } from "./an-event-to-append.ts";

/** Appends until no more fits; tells what was acknowledged, and how the store failed. */
const [path = ""] = process.argv.slice(2);
const environment = openEnvironment({ path, maxDbs: LMDB_EVENT_STORE_DATABASES });
const fatal: string[] = [];
const store = openLmdbEventStore(environment, { onFatal: (error) => fatal.push(error.message) });
const acknowledged: string[] = [];
const failures: unknown[] = [];

async function writer(stream: string): Promise<void> {
  for (let revision = -1; failures.length === 0; revision++) {
    const event = anEventToAppend();
    try {
      await store.append(stream, revision, [event]);
      acknowledged.push(event.id);
    } catch (error) {
      failures.push(told(error));
    }
  }
}

function told(error: unknown): unknown {
  return error instanceof Error
    ? { name: error.name, unknown: "outcomeUnknown" in error && error.outcomeUnknown }
    : error;
}

await Promise.all(Array.from({ length: 10 }, (_, index) => writer(`stream-${index}`)));
const later = await store.append("later", -1, [anEventToAppend()]).catch(told);
await store.close();
process.stdout.write(JSON.stringify({ acknowledged, failures, later, fatal }));
