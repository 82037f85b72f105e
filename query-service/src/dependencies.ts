import type { BoardingPassPrinter } from "@travel-booking/boarding-pass-printer";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import type { Cursors } from "@travel-booking/http";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { Clock, TextSigner } from "@travel-booking/runtime";
import type { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import type { EventNotifier } from "./event-notifier.ts";

export interface QueryDependencies {
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  readonly clock: Clock;
  readonly words: Pick<SealedWords, "keys">;
  readonly cursors: Cursors;
  /** Stop the notifier before the server. */
  readonly eventNotifier: EventNotifier;
  /** The state store, for test events. */
  readonly testEvents: Pick<StateStore, "get">;
  readonly deliveries: Pick<EndpointDeliveries, "attempts" | "status">;
  readonly boardingPasses: {
    /** Asks the command-service to assign seats to a confirmed booking without seats. Returns the log position. */
    readonly assignSeats: (bookingId: string) => Promise<bigint>;
    /** Records the position of assigned seats as the credential's own write. */
    readonly positions: Pick<WritePositions, "record">;
    readonly printer: Pick<BoardingPassPrinter, "draw">;
    readonly signer: TextSigner;
  };
}
