import type { EventStore } from "@travel-booking/engines/event-store";
import type { Leases } from "@travel-booking/engines/leases";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { type ProjectionRequestStore, type SkippedEvents, serveRequests } from "@travel-booking/read-models/control";
import type { Metrics } from "@travel-booking/runtime";
import { Backoff } from "@travel-booking/runtime/real-time";
import type { Projection } from "./projection.ts";
import { Projector, type ProjectorOptions } from "./projector.ts";

export interface LeasedProjectionsOptions extends Pick<ProjectorOptions, "onFatal" | "onProblem"> {
  readonly eventStore: Pick<EventStore, "subscribe" | "head">;
  readonly readStore: ReadStore;
  readonly projections: readonly Projection[];
  readonly leases: Leases;
  readonly requestStore: ProjectionRequestStore;
  readonly skippedEvents: Pick<SkippedEvents, "has">;
  /** The id of this instance. */
  readonly instanceId: string;
}

/** Real time between attempts to start while a store is unavailable. */
const BACK_OFF = { initialMs: 100, maxMs: 5_000 };

/**
 * Runs the projections whose leases it gets, and waits for the leases of the others. A lease is for one version of a
 * projection: during an upgrade the old version is kept up to date by its instances until the new one is live.
 */
export class LeasedProjections {
  readonly #options: LeasedProjectionsOptions;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Projector>();
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: LeasedProjectionsOptions) {
    this.#options = options;
  }

  /** The projections this instance runs now. */
  get held(): readonly string[] {
    return [...this.#running.keys()];
  }

  start(): void {
    const { projections, leases } = this.#options;
    this.#work = Promise.all(
      projections.map((projection) =>
        leases.runUnderLease(
          `projection/${projection.name}@${projection.version}`,
          (signal) => this.#run(projection, signal),
          {
            signal: this.#stop.signal,
          },
        ),
      ),
    );
  }

  /** Finishes the current batches and releases the leases. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  async #run(projection: Projection, signal: AbortSignal): Promise<void> {
    const backOff = new Backoff(BACK_OFF);
    while (!signal.aborted) {
      try {
        await this.#runOnce(projection, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.onProblem({ projection: projection.name, error });
        await backOff.pause(signal);
      }
    }
  }

  async #runOnce(projection: Projection, signal: AbortSignal): Promise<void> {
    const { name } = projection;
    const { requestStore, instanceId, onProblem } = this.#options;
    const projector = new Projector({ ...this.#options, projections: [projection], shared: true });
    try {
      await projector.start();
      await this.#assertNotAheadOfLog(name, projector);
      this.#running.set(name, projector);
      await serveRequests({
        requestStore,
        projection: name,
        projector,
        instanceId,
        signal,
        onProblem: (error) => onProblem({ projection: name, error }),
      });
    } finally {
      this.#running.delete(name);
      await projector.stop();
    }
  }

  /** A read model ahead of the log was made from another log, and would silently wait for ever. */
  async #assertNotAheadOfLog(name: string, projector: Projector): Promise<void> {
    const head = await this.#options.eventStore.head();
    const position = projector.progress.positionOf(name);
    if (position <= head) return;
    const error = `the log ends at position ${head}, and ${name} knows of events up to ${position}: restore the log, or drop the read models`;
    await this.#options.requestStore.reportStatus(name, { state: "stopped", error, failedAt: null });
    throw new Error(error);
  }
}

/** Shows which projections this instance runs; over all instances the sum is 1 for each. */
export function registerProjectionGauges(metrics: Metrics, projecting: LeasedProjections): void {
  metrics.labelledGauge("projection_held", "1 where this instance runs the projection.", () => {
    const { held } = projecting;
    return PROJECTION_NAMES.map((name) => ({ labels: { projection: name }, value: held.includes(name) ? 1 : 0 }));
  });
}
