import type { TestEngine } from "../engine.ts";
import type { DoubleControl } from "../eventstoredb/index.ts";

export interface EventStoreEngine extends TestEngine {
  /** What it can be told to do wrong, where it is the double. Who always needs that starts the double itself. */
  readonly faults?: DoubleControl;
}
