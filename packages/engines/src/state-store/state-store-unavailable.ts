import { EngineUnavailable } from "../unavailable.ts";

/** The store is closed, or could not be written: what was under way may or may not be stored. */
export class StateStoreUnavailable extends EngineUnavailable {
  override readonly name = "StateStoreUnavailable";
  override readonly engine = "the state store";
}
