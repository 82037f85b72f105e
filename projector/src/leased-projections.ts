import type { EventStore } from "@travel-booking/engines/event-store";
import type { Leases } from "@travel-booking/engines/leases";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { type ProjectionRequestStore, serveRequests } from "@travel-booking/read-models/control";
import type { Metrics } from "@travel-booking/runtime";
import { Backoff } from "@travel-booking/runtime/real-time";
import type { Projection } from "./projection.ts";
import { Projector, type ProjectorOptions } from "./projector.ts";

interface LeasedProjectionsOptions extends Pick<ProjectorOptions, "onFatal" | "onProblem"> {
  readonly eventStore: Pick<EventStore, "subscribe" | "head">;
  readonly readStore: ReadStore;
  readonly projections: readonly Projection[];
  readonly leases: Leases;
  readonly requestStore: ProjectionRequestStore;
  /** Names this instance. */
  readonly instanceId: string;
}

/** Real time: between attempts to begin where a store is out of reach. */
const BACK_OFF = { initialMs: 100, maxMs: 5_000 };

/**
 * Runs every projection that no other instance runs, and stands by for the others. The lease is that of a projection
 * in one version: during an upgrade the old version is kept up by its instances until the new one, built beside it,
 * is switched to.
 */
export class LeasedProjections {
  readonly #options: LeasedProjectionsOptions;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Projector>();
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: LeasedProjectionsOptions) {
    this.#options = options;
  }

  /** The names of the projections this instance runs now. */
  get held(): readonly string[] {
    return [...this.#running.keys()];
  }

  start(): void {
    const { projections, leases } = this.#options;
    this.#work = Promise.all(
      projections.map((projection) =>
        leases.runUnderLease(
          `projection/${projection.name}@${projection.version}`,
          (held) => this.#run(projection, held),
          {
            signal: this.#stop.signal,
          },
        ),
      ),
    );
  }

  /** Finishes the batches under way and gives the leases back. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  async #run(projection: Projection, held: AbortSignal): Promise<void> {
    const backOff = new Backoff(BACK_OFF);
    while (!held.aborted) {
      try {
        await this.#runOnce(projection, held);
      } catch (error) {
        if (held.aborted) return;
        this.#options.onProblem({ projection: projection.name, error });
        await backOff.pause(held);
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

  /** A read model that knows of more than the log has was made from another one: it would wait for ever, in silence. */
  async #assertNotAheadOfLog(name: string, projector: Projector): Promise<void> {
    const head = await this.#options.eventStore.head();
    const position = projector.progress.positionOf(name);
    if (position <= head) return;
    const error = `the log ends at position ${head}, and ${name} knows of events up to ${position}: restore the log, or drop the read models`;
    await this.#options.requestStore.reportStatus(name, { state: "stopped", error });
    throw new Error(error);
  }
}

/** Which projections this instance runs; over all instances the sum is 1 for each. */
export function registerProjectionGauges(metrics: Metrics, projecting: LeasedProjections): void {
  metrics.labelledGauge("projection_held", "1 where this instance runs the projection.", () => {
    const { held } = projecting;
    return PROJECTION_NAMES.map((name) => ({ labels: { projection: name }, value: held.includes(name) ? 1 : 0 }));
  });
}
