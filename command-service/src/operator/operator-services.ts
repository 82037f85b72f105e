import type { EventStore } from "@travel-booking/engines/event-store";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { CommandServices } from "../services.ts";

/** What the operator interface of the command side works with. */
export interface OperatorServices extends CommandServices {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly state: StateStore;
  /**
   * Resolves when every read model shows the log up to this position: an operator's command is in force, on every
   * instance, when it is answered.
   */
  readonly waitUntilProjected: (position: bigint) => Promise<void>;
}
