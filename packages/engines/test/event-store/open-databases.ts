import { type EventDatabases, openEventDatabases } from "../../src/event-store/lmdb/databases.ts";
import type { Environment } from "../../src/lmdb/index.ts";

/** The databases of a store, as of now. */
export function openDatabases(environment: Environment): EventDatabases {
  environment.root.resetReadTxn();
  return openEventDatabases(environment);
}
