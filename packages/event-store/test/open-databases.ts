import type { Environment } from "@travel-booking/lmdb-environment";
import { type EventDatabases, openEventDatabases } from "../src/lmdb/databases.ts";

/** The databases of a store, as of now. */
export function openDatabases(environment: Environment): EventDatabases {
  environment.root.resetReadTxn();
  return openEventDatabases(environment);
}
