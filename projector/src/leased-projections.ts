import { AnotherLog } from "@travel-booking/engines/event-store";
import type { Instance, Leases } from "@travel-booking/engines/leases";
import type { StateStore } from "@travel-booking/engines/state-store";
import { PROJECTION_NAMES } from "@travel-booking/read-models";
import { SkippedEvents, serveRequests } from "@travel-booking/read-models/control";
import type { Metrics } from "@travel-booking/runtime";
import type { Core, ServiceContext } from "@travel-booking/service-host";
import { retryUntilDone } from "./background-work.ts";
import { isNewerLive } from "./generations.ts";
import { oncePerOutage } from "./once-per-outage.ts";
import type { Projection } from "./projection.ts";
import { projections } from "./projections/index.ts";
import { Projector, type ProjectorOptions } from "./projector.ts";

export interface LeasedProjectionsOptions
  extends Omit<ProjectorOptions, "onLogChanged" | "graceMs" | "shared" | "skippedEvents"> {
  readonly leases: Leases;
  /** The store of operators' requests and of skipped events. */
  readonly state: StateStore;
  /** The id of this instance. */
  readonly instanceId: string;
}

/**
 * Runs the projections whose leases it gets, and waits for the leases of the others. A lease is for one version of a
 * projection. So during an upgrade its instances keep the old version up to date until the new one is live.
 */
export class LeasedProjections {
  readonly #options: LeasedProjectionsOptions;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Projector>();
  /** Whether another log was reported, because all projections notice it and one log line is enough. */
  #isToldOfAnotherLog = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: LeasedProjectionsOptions) {
    this.#options = options;
  }

  /** The projections this instance runs now. */
  get held(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Set while the log is not the one that a projection was built from. */
  get anotherLog(): AnotherLog | undefined {
    return [...this.#running.values()].map((projector) => projector.anotherLog).find((one) => one !== undefined);
  }

  start(): void {
    const { projections, leases } = this.#options;
    const { signal } = this.#stop;
    const running = projections.map((projection) => {
      const lease = `projection/${projection.name}@${projection.version}`;
      return leases.runUnderLease(lease, (held) => this.#run(projection, held), { signal });
    });
    this.#work = Promise.all(running);
  }

  /** Finishes the current batches and releases the leases. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#work;
  }

  async #run(projection: Projection, signal: AbortSignal): Promise<void> {
    const onFailure = (error: unknown) => this.#options.onProblem({ projection: projection.name, error });
    while (!signal.aborted) await retryUntilDone(signal, onFailure, () => this.#runOnce(projection, signal));
  }

  #tell(problem: Parameters<ProjectorOptions["onProblem"]>[0]): void {
    const isAnotherLog = problem.error instanceof AnotherLog;
    if (isAnotherLog && this.#isToldOfAnotherLog) return;
    this.#isToldOfAnotherLog ||= isAnotherLog;
    this.#options.onProblem(problem);
  }

  async #runOnce(projection: Projection, signal: AbortSignal): Promise<void> {
    const { name } = projection;
    const ended = new AbortController();
    const projector = new Projector({
      ...this.#options,
      projections: [projection],
      skippedEvents: new SkippedEvents(this.#options.state),
      shared: true,
      onLogChanged: () => ended.abort(),
      onProblem: (problem) => this.#tell(problem),
    });
    try {
      await projector.start();
      if (projector.anotherLog === undefined && this.anotherLog === undefined) this.#isToldOfAnotherLog = false;
      this.#running.set(name, projector);
      await serveRequests({
        ...this.#options,
        projection: name,
        projector,
        mayServe: async () => {
          const isReplaced = await isNewerLive(this.#options.readStore, projection);
          if (isReplaced) ended.abort();
          return !isReplaced;
        },
        signal: AbortSignal.any([signal, ended.signal]),
        onProblem: (error) => this.#options.onProblem({ projection: name, error }),
      });
    } finally {
      this.#running.delete(name);
      await projector.stop();
    }
  }
}

/** Runs all projections under leases that other processes may take over, until shutdown. */
export function startLeasedProjections(
  { logger, shutdown, fatalErrors }: ServiceContext,
  { state, words, instance: { id: instanceId, leases } }: Core & { readonly instance: Instance },
  engines: Pick<LeasedProjectionsOptions, "eventStore" | "readStore">,
): LeasedProjections {
  const leased = new LeasedProjections({
    ...engines,
    state,
    words,
    leases,
    instanceId,
    projections,
    onFatal: fatalErrors.handlerFor("the projector can't go on"),
    onProblem: oncePerOutage(({ projection, error }) =>
      logger.error({ projection, err: error }, "a projection failed"),
    ),
  });
  leased.start();
  shutdown.register("projections", () => leased.stop());
  return leased;
}

/** Shows which projections this instance runs. Over all instances, the sum for each projection is 1. */
export function registerProjectionGauges(metrics: Metrics, projecting: LeasedProjections): void {
  metrics.labelledGauge("projection_held", "1 where this instance runs the projection.", () => {
    const { held } = projecting;
    return PROJECTION_NAMES.map((name) => ({ labels: { projection: name }, value: held.includes(name) ? 1 : 0 }));
  });
}
