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
  return error.stack ?? error.message;
}
