import { AnotherLog, type EventStore } from "@travel-booking/engines/event-store";
import type { Leases } from "@travel-booking/engines/leases";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { type ProjectionRequestStore, type SkippedEvents, serveRequests } from "@travel-booking/read-models/control";
import type { Metrics } from "@travel-booking/runtime";
import { Backoff } from "@travel-booking/runtime/real-time";
import type { Projection } from "./projection.ts";
import { Projector, type ProjectorOptions } from "./projector.ts";

export interface LeasedProjectionsOptions extends Pick<ProjectorOptions, "onFatal" | "onProblem"> {
  readonly eventStore: Pick<EventStore, "subscribe" | "head" | "eventIdAt">;
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
  /** That the log is another one: all projections find out, and one line is enough. */
  #isToldOfAnotherLog = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: LeasedProjectionsOptions) {
    this.#options = options;
  }

  /** The projections this instance runs now. */
  get held(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Set while the log is not the one that a projection was made from. */
  get anotherLog(): AnotherLog | undefined {
    return [...this.#running.values()].map((projector) => projector.anotherLog).find((one) => one !== undefined);
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

  #tell(problem: Parameters<LeasedProjectionsOptions["onProblem"]>[0]): void {
    const isAnotherLog = problem.error instanceof AnotherLog;
    if (isAnotherLog && this.#isToldOfAnotherLog) return;
    this.#isToldOfAnotherLog ||= isAnotherLog;
    this.#options.onProblem(problem);
  }

  async #runOnce(projection: Projection, signal: AbortSignal): Promise<void> {
    const { name } = projection;
    const { requestStore, instanceId, onProblem } = this.#options;
    const ended = new AbortController();
    const onLogChanged = () => ended.abort();
    const projector = new Projector({
      ...this.#options,
      projections: [projection],
      shared: true,
      onLogChanged,
      onProblem: (problem) => this.#tell(problem),
    });
    try {
      await projector.start();
      if (projector.anotherLog === undefined && this.anotherLog === undefined) this.#isToldOfAnotherLog = false;
      this.#running.set(name, projector);
      await serveRequests({
        requestStore,
        projection: name,
        projector,
        instanceId,
        signal: AbortSignal.any([signal, ended.signal]),
        onProblem: (error) => onProblem({ projection: name, error }),
      });
    } finally {
      this.#running.delete(name);
      await projector.stop();
    }
  }
}

/** Shows which projections this instance runs; over all instances the sum is 1 for each. */
export function registerProjectionGauges(metrics: Metrics, projecting: LeasedProjections): void {
  metrics.labelledGauge("projection_held", "1 where this instance runs the projection.", () => {
    const { held } = projecting;
    return PROJECTION_NAMES.map((name) => ({ labels: { projection: name }, value: held.includes(name) ? 1 : 0 }));
  });
}
