import { EventStoreUnavailable } from "@travel-booking/event-store";
import { StorageFault } from "@travel-booking/lmdb-environment";
import { SettingsError } from "@travel-booking/runtime";
import { StateStoreUnavailable } from "@travel-booking/state-store";
import { StartUpFault } from "./start-up-fault.ts";

const MENDABLE = [SettingsError, StorageFault, StartUpFault, EventStoreUnavailable, StateStoreUnavailable];

/** What an operator can mend is said in one line (a line for each wrong setting); anything else keeps its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (MENDABLE.some((kind) => error instanceof kind)) return error.message;
  // LMDB's own words for pages that are not what it wrote.
  const damage = /MDB_[A-Z_]+: [^\n]*/.exec(error.message)?.[0];
  if (damage !== undefined) {
    return `a store in the data folder is damaged (${damage}): restore it from a backup; if it is the folder "read", remove that folder and it is built anew`;
  }
  return error.stack ?? error.message;
}
