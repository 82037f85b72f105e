import type { Cursors } from "@travel-booking/http";
import type { ReadModels } from "@travel-booking/read-store";
import type { Clock } from "@travel-booking/runtime";

/** What reading takes. */
export interface QueryDependencies {
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly cursors: Cursors;
}
