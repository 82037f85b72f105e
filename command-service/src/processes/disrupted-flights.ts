import type { FlightChange, FlightNews } from "@travel-booking/domain";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  FLIGHTS,
  findFlightChanges,
  type ProjectionProgress,
  type StoredDisruption,
} from "@travel-booking/read-models";
import { backgroundPause } from "@travel-booking/runtime/real-time";
import { OncePerReason } from "./scheduler.ts";

/** Real time between two looks at the list: so long another instance may decide without the news. */
const POLL_INTERVAL_MS = 1_000;
/** So many disruptions may be open at once. Bookings of others follow when they are swept. */
const MAX_KNOWN = 1_000;

/** The changes of a flight are read again only when its newest disruption has another document. */
interface Known {
  readonly json: string;
  readonly changes: readonly FlightChange[];
}

const NO_CHANGES: readonly FlightChange[] = [];

interface DisruptedFlightsOptions {
  readonly models: Pick<ReadModels, "page" | "document">;
  readonly progress: Pick<ProjectionProgress, "positionOf">;
  readonly onUnreadable: (error: unknown) => void;
}

/**
 * What this process knows of flights that some bookings may not have followed yet. Only a hint: the sweep reaches those whose
 * commands were decided without it (docs/decisions/0065-a-flight-decides-first.md).
 */
export class DisruptedFlights {
  readonly #options: DisruptedFlightsOptions;
  #known: ReadonlyMap<string, Known> = new Map();
  /** Told by commands of this process, with the log positions of their events, until the list shows them. */
  readonly #told = new Map<string, { readonly changes: readonly FlightChange[]; readonly position: bigint }>();

  constructor(options: DisruptedFlightsOptions) {
    this.#options = options;
  }

  readonly news: FlightNews = (flightId) =>
    this.#told.get(flightId)?.changes ?? this.#known.get(flightId)?.changes ?? NO_CHANGES;

  /** Makes the changes of a flight known at once, and not only when the list shows them. */
  tell(flightId: string, changes: readonly FlightChange[], position: bigint): void {
    this.#told.set(flightId, { changes, position });
  }

  async refresh(): Promise<void> {
    const { models, progress } = this.#options;
    const shown = progress.positionOf(FLIGHTS.projection);
    const { model, open: index } = FLIGHTS.disruption;
    const list = { index, partition: ALL_PARTITION, order: "descending", limit: MAX_KNOWN } as const;
    const known = new Map<string, Known>();
    for (const { json } of await models.page(model, list)) {
      const { flightId, revision } = parseBody<StoredDisruption>({ json });
      if (known.has(flightId)) continue;
      const before = this.#known.get(flightId);
      if (before?.json === json) {
        known.set(flightId, before);
        continue;
      }
      const changes = await findFlightChanges(models, flightId);
      // A store may show the disruption before its flight: then the flight is read again at the next look.
      const isWhole = changes.some((change) => change.revision === revision);
      known.set(flightId, { json: isWhole ? json : "", changes });
    }
    this.#known = known;
    for (const [flightId, { position }] of this.#told) if (position <= shown) this.#told.delete(flightId);
  }

  /** Looks at the list until the signal aborts. */
  async runUntil(signal: AbortSignal): Promise<void> {
    const readable = new OncePerReason(this.#options.onUnreadable);
    while (!signal.aborted) {
      await readable.attempt(() => this.refresh());
      await backgroundPause(POLL_INTERVAL_MS, signal);
    }
  }
}
