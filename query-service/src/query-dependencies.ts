import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { Cursors } from "@travel-booking/http";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { Clock } from "@travel-booking/runtime";
import type { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import type { BoardingPassDependencies } from "./boarding-passes/dependencies.ts";
import type { EventNotifier } from "./events/event-notifier.ts";

/** What reading takes. */
export interface QueryDependencies {
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  readonly clock: Clock;
  readonly cursors: Cursors;
  /** Wakes requests that wait for events. To be stopped before the server is. */
  readonly eventNotifier: EventNotifier;
  /** Where events that were made to try an endpoint are. */
  readonly testEvents: Pick<StateStore, "get">;
  readonly deliveries: Pick<EndpointDeliveries, "attempts" | "status">;
  readonly boardingPasses: BoardingPassDependencies;
}
