import type { BoardingPassPrinter } from "@travel-booking/boarding-pass-printer";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import type { Cursors } from "@travel-booking/http";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { Clock } from "@travel-booking/runtime";
import type { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import type { EventNotifier } from "./event-notifier.ts";

/** What boarding passes take besides reading. */
export interface BoardingPassDependencies {
  /**
   * Makes sure that a confirmed booking has seats, by asking those who decide; answers the log position that shows what
   * came of it.
   */
  readonly assignSeats: (bookingId: string) => Promise<bigint>;
  /** Where that position is left for the credential, which reads it as its own write. */
  readonly positions: Pick<WritePositions, "record">;
  readonly printer: BoardingPassPrinter;
}

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
