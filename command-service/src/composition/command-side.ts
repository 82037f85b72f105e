import type { ReviewerPool } from "@travel-booking/document-reviewer";
import type { BlobStore } from "@travel-booking/engines/blob-store";
import {
  type EventStore,
  EventStoreUnavailable,
  type KnownLog,
  type ReadModelMark,
} from "@travel-booking/engines/event-store";
import type { Leases, Presence } from "@travel-booking/engines/leases";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { Lifecycle } from "@travel-booking/http";
import { PROJECTION_NAMES, type ProjectionProgress } from "@travel-booking/read-models";
import type { ProjectionStatus, ProjectorControl } from "@travel-booking/read-models/control";
import type { Clock, Metrics, SandboxClock, Shutdown } from "@travel-booking/runtime";
import { CommandHandler } from "../command-handling/command-handler.ts";
import { SealedEventStore } from "../command-handling/sealed-event-store.ts";
import { sweepAbandonedUploads } from "../documents/document-files.ts";
import { UploadStore } from "../documents/uploads.ts";
import { type Erasure, Erasures } from "../erasures/erasures.ts";
import { Reconciliation } from "../payments/daily-reconciliation.ts";
import { InboundEvents } from "../payments/inbound-events.ts";
import { type ClockDrivenWork, combineWork } from "../processes/advance-clock.ts";
import type { DueTaskList } from "../processes/due-task-list.ts";
import { tasksLeftBehind } from "../processes/take-up.ts";
import { countPutOff } from "../processes/task-guard.ts";
import type { CommandServices } from "../services.ts";
import { CatchUpMonitor } from "./catch-up-monitor.ts";
import { type CommandServicesOptions, commandServices } from "./command-services.ts";
import { documentReviews } from "./document-reviews.ts";
import { dueTasks } from "./due-tasks.ts";
import { takeOver } from "./take-over.ts";

interface CommandSideOptions
  extends Omit<CommandServicesOptions, "handler" | "catchUpMonitor" | "documents" | "events" | "soleWriter"> {
  readonly events: EventStore;
  /** To be forgotten again, because a backup has brought them back. */
  readonly erasures: readonly Erasure[];
  readonly clock: SandboxClock;
  readonly blobs: BlobStore;
  readonly reviewer: ReviewerPool;
  /** Whether the gateway's ledger is compared with ours every day. */
  readonly reconcilesDaily: boolean;
  readonly projector: ProjectorControl;
  /** Deliveries that fall due. */
  readonly deliveries: ClockDrivenWork;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  /** False while no due task may begin, since nothing could be recorded; absent: true. */
  readonly mayBegin?: (() => boolean) | undefined;
  readonly shutdown: Shutdown;
  /** Of instances that share their servers; absent: no other process writes. */
  readonly shared?: { readonly leases: Leases; readonly presence: Presence } | undefined;
}

/** The command side on any engines, in a process of its own or together with everything else. */
export function commandSide(options: CommandSideOptions) {
  const { state, progress, clock, blobs, reviewer, projector, deliveries, metrics, lifecycle, mayBegin, shutdown } =
    options;
  const events = new SealedEventStore(options.events, options.words);
  options.words.findKey = (subject) => events.findKey(subject);
  const { shared } = options;
  const catchUpMonitor = new CatchUpMonitor(projector, progress, events);
  const soleWriter = shared === undefined;
  const handler = new CommandHandler({ store: events, state, clock, soleWriter, instance: shared?.presence.instance });
  const documents = { uploads: new UploadStore(blobs, state, options.words, events), reviewer };
  const services = commandServices({ ...options, events, soleWriter, handler, catchUpMonitor, documents });
  const reviews = documentReviews({ services, clock, progress, lifecycle, metrics, mayBegin });
  const alsoDue = combineWork(reviews.due, deliveries);
  const due = dueTasks({ services, clock, progress, catchUpMonitor, lifecycle, mayBegin, otherWork: alsoDue });
  metrics.gauge(
    "payment_gateway_refusals_total",
    "How often the payment gateway has refused this service's own key or account.",
    () => services.gatewayMonitor.refusals,
  );
  registerGauges({ metrics, handler, events, projector, progress, list: due.list, clock, state });

  const inboundEvents = new InboundEvents(services);
  const reconciliation = new Reconciliation({ services, clock });
  registerReconciliation(metrics, reconciliation, clock);

  return {
    services,
    inboundEvents,
    reconciliation,
    catchUpMonitor,
    advanceTo: due.advanceTo,
    /** From now on the log has to be the one that the read models were made from; `log.problem` is set where it is not. */
    async compareLog(log: KnownLog, marks: () => readonly ReadModelMark[]): Promise<void> {
      log.compareWith(marks, () => handler.forgetStreams());
      await log.verify().catch((error: unknown) => {
        if (!(error instanceof EventStoreUnavailable)) throw error;
      });
    },
    /**
     * Starts the schedulers: under leases, or without any in this process alone. Before the first request: whatever is
     * begun then, another process has left behind.
     */
    async start(): Promise<void> {
      await new Erasures(services).restore(options.erasures);
      const underLease = (name: string, work: (signal: AbortSignal) => Promise<void>) =>
        shutdown.run(name, (signal) => shared?.leases.runUnderLease(name, work, { signal }) ?? work(signal));
      if (shared === undefined) {
        const left = await tasksLeftBehind(due.list, clock);
        shutdown.run("scheduler", (signal) => due.scheduler.runUntil(signal, left));
      } else {
        const { presence } = shared;
        shutdown.run("presence", (signal) => presence.announce(signal));
        underLease("take-over", (signal) =>
          presence.watch(
            takeOver({ ...due, newScheduler: () => due.newScheduler("take-over"), clock, progress, events }),
            signal,
          ),
        );
        underLease("scheduler", (signal) => due.newScheduler("leased").runUntil(signal));
      }
      underLease("document reviews", (signal) => reviews.newScheduler().runUntil(signal));
      if (options.reconcilesDaily) underLease("reconciliation", (signal) => reconciliation.runUntil(signal));
      shutdown.register("gateway events", () => inboundEvents.stop());
      // Stopped before the scheduler, which waits for the tasks in flight.
      shutdown.register("reviewer", () => reviewer.stop());
      await startUploadSweeper(services, shared === undefined, shutdown);
    },
  };
}

/** The last result, also of another instance. */
function registerReconciliation(metrics: Metrics, reconciliation: Reconciliation, clock: Clock): void {
  metrics.gauge(
    "payment_differences",
    "Differences between the payment gateway's ledger and ours, as last reconciled.",
    async () => (await reconciliation.last())?.differences,
  );
  metrics.gauge("payments_reconciled_seconds", "Seconds since payments were last reconciled.", async () => {
    const last = await reconciliation.last();
    return last && Math.round((clock.now() - last.at) / 1_000);
  });
}

/** More due tasks are not counted: a scheduler that stands still is noticed long before. */
const MAX_COUNTED = 1_000;
const STATES: readonly ProjectionStatus["state"][] = ["live", "rebuilding", "stopped"];

interface GaugesOptions {
  readonly handler: Pick<CommandHandler, "executed" | "stored">;
  readonly metrics: Metrics;
  readonly events: Pick<EventStore, "head">;
  readonly projector: Pick<ProjectorControl, "list">;
  readonly progress: ProjectionProgress;
  readonly list: DueTaskList;
  readonly clock: Clock;
  readonly state: Pick<StateStore, "list">;
}

/** Gauges besides those of requests: the positions of the log and the read models, and the tasks that are due. */
function registerGauges({ metrics, handler, events, projector, progress, list, clock, state }: GaugesOptions): void {
  const head = async () => Number(await events.head());
  const positions = () =>
    PROJECTION_NAMES.map((projection) => ({ projection, position: Number(progress.positionOf(projection)) }));
  metrics.gauge("commands_total", "Commands decided since the start, refused ones included.", () => handler.executed);
  metrics.labelledGauge("domain_events_total", "Events of business stored since the start, by type.", () =>
    handler.stored.entries().map(([type, value]) => ({ labels: { type }, value })),
  );
  metrics.gauge("event_log_position", "Position of the last event.", head);
  metrics.labelledGauge("projection_position", "Everything up to here can be read.", () =>
    positions().map(({ projection, position }) => ({ labels: { projection }, value: position })),
  );
  metrics.labelledGauge("projection_lag", "How far a projection is behind the last event.", async () => {
    const last = await head();
    return positions().map(({ projection, position }) => ({
      labels: { projection },
      value: Math.max(0, last - position),
    }));
  });
  metrics.labelledGauge("projection_state", "1 for the state a projection is in.", async () =>
    (await projector.list()).flatMap(({ name, state }) =>
      STATES.map((one) => ({ labels: { projection: name, state: one }, value: one === state ? 1 : 0 })),
    ),
  );
  metrics.gauge(
    "obligations_due",
    `Due tasks that have not run yet, ${MAX_COUNTED} at most.`,
    async () => (await list.dueBy(clock.now(), MAX_COUNTED)).length,
  );
  metrics.gauge("obligations_put_off", "Due tasks in the midst of which a process has ended.", () =>
    countPutOff(state, Date.now()),
  );
}

/** Real time. */
const SWEEP_INTERVAL_MS = 60_000;
/** Far longer than a request may take. */
const ABANDONED_AFTER_MS = 15 * 60_000;

/**
 * Removes the files of abandoned uploads at intervals. With `soleInstance` no other process uses the stores, so any
 * upload found at the start is abandoned.
 */
async function startUploadSweeper(services: CommandServices, soleInstance: boolean, shutdown: Shutdown): Promise<void> {
  const sweep = (begunBefore: number) =>
    sweepAbandonedUploads(services, begunBefore).catch((error: unknown) => {
      if (!shutdown.isStopping) services.logger.warn({ err: error }, "abandoned uploads could not be removed");
    });
  if (soleInstance) await sweep(Date.now());
  shutdown.repeat("uploads", SWEEP_INTERVAL_MS, () => sweep(Date.now() - ABANDONED_AFTER_MS));
}
