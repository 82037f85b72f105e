/** The store is closed, or could not be written: what was under way may or may not be stored. */
export class StateStoreUnavailable extends Error {
  override readonly name = "StateStoreUnavailable";
}
