import type { ReadModels } from "@travel-booking/engines/read-store";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { ProjectorControl } from "@travel-booking/read-models/control";

/** The read models and who keeps them up, as the rest of the process sees them. */
export interface ProjectionRuntime {
  readonly models: ReadModels;
  readonly control: ProjectorControl;
  readonly progress: ProjectionProgress;
  /** Counts up whenever a read model has moved; absent where others move them, too. */
  readonly refreshCount: (() => number) | undefined;
}
