import { dueTaskKey, SECOND } from "@travel-booking/domain";
import type { BlobStore } from "@travel-booking/engines/blob-store";
import type { EventStore, KnownLog, ReadModelMark } from "@travel-booking/engines/event-store";
import type { JobQueue } from "@travel-booking/engines/job-queue";
import { parseBody } from "@travel-booking/engines/read-store";
import type { AppOptions } from "@travel-booking/http";
import { OperatorError } from "@travel-booking/http/operator";
import type { ChosenGateway } from "@travel-booking/payment-gateway";
import { DUE_TASKS } from "@travel-booking/read-models";
import { type ProjectorControl, SkippedEvents } from "@travel-booking/read-models/control";
import {
  type ApiCore,
  type Part,
  type ServiceContext,
  sweepExpired,
  withProjectionFallback,
} from "@travel-booking/service-host";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { targetRules } from "@travel-booking/webhooks/targets";
import { CommandHandler } from "../command-handling/command-handler.ts";
import { SealedEventStore } from "../command-handling/sealed-event-store.ts";
import { startUploadSweeper } from "../documents/document-files.ts";
import { openReviewer } from "../documents/open-reviewer.ts";
import { UploadStore } from "../documents/uploads.ts";
import { Erasures } from "../erasures/erasures.ts";
import { Retention } from "../erasures/retention.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import { commandOperatorRoutes } from "../operator/routes.ts";
import { summaryRoutes } from "../operator/summary.ts";
import { projectionRoutes, settingsRoute, sharedClock, tailRoutes } from "../operator/system.ts";
import { Reconciliation } from "../payments/daily-reconciliation.ts";
import { GatewayMonitor } from "../payments/gateway-monitor.ts";
import { InboundEvents } from "../payments/inbound-events.ts";
import { PayerTexts } from "../payments/payer-texts.ts";
import { type ClockDrivenWork, combineWork } from "../processes/advance-clock.ts";
import { DisruptedFlights } from "../processes/disrupted-flights.ts";
import { watchEndpointHealth } from "../processes/endpoint-health.ts";
import { assignSeats } from "../processes/run-saga.ts";
import { tasksLeftBehind } from "../processes/take-up.ts";
import { quotas } from "../quotas/quotas.ts";
import { commandRoutes } from "../routes.ts";
import { type BankAccount, webhookServices } from "../services.ts";
import { besideAnotherLog } from "./another-log.ts";
import { CatchUpMonitor } from "./catch-up-monitor.ts";
import { registerCommandMetrics } from "./command-metrics.ts";
import { documentReviews } from "./document-reviews.ts";
import { dueTasks, takeOver } from "./due-tasks.ts";
import { changeSecretKey } from "./secret-key-change.ts";
import { newSweepScheduler } from "./sweeps.ts";

interface CommandRoleOptions {
  readonly gateway: ChosenGateway;
  readonly events: EventStore;
  /** Whether the log is the right one. Undefined: the log can't be replaced. */
  readonly knownLog: KnownLog | undefined;
  /** Marks of the log in the read models. */
  readonly marks: () => readonly ReadModelMark[];
  /** As in `OperatorServices`. Undefined: keys are stored in MongoDB. */
  readonly removeTracesOfKeys?: OperatorServices["removeTracesOfKeys"] | undefined;
  readonly blobs: BlobStore;
  readonly queue: Pick<JobQueue, "schedule">;
  readonly projector: ProjectorControl;
  /** Deliveries that fall due. */
  readonly deliveries: ClockDrivenWork;
  /** Refuses writes while the disk has too little space. */
  readonly refuseWrite?: AppOptions["refuseWrite"] | undefined;
  /** Lines for operators about the rest of the process. */
  readonly readinessDetails?: Part["readinessDetails"] | undefined;
}

/** Real time: how long the read model may take to show a new hold. */
const HOLD_PROJECTED_WITHIN_MS = 5_000;
const ON_MONGODB = "the key: in the oplog and journal of MongoDB, until they are written over";
/** The sandbox account for bank transfers: the example in the specification of IBANs. */
const BANK_ACCOUNT: BankAccount = { iban: "DE89370400440532013000", bic: "COBADEFFXXX" };

export type CommandPart = ReturnType<typeof commandRole>;

/** The part of a process that writes and runs due tasks. */
export function commandRole(host: ServiceContext, core: ApiCore, options: CommandRoleOptions) {
  const { settings, logger, shutdown, reachedFaultPoint } = host;
  const { state, keys, instance, clock, words, ids, models, progress, positions, metrics, lifecycle, readiness } = core;
  const { secretKey } = core.secretKeys;
  const { mayBegin = () => true } = core;
  const { gateway, blobs, queue, projector, marks, knownLog, removeTracesOfKeys = async () => ON_MONGODB } = options;
  const soleWriter = instance === undefined;
  const events = new SealedEventStore(options.events, words);
  words.findKey = (subject) => events.findKey(subject);
  const catchUpMonitor = new CatchUpMonitor(projector, progress, events);
  const onUnreadable = (err: unknown) => logger.warn({ err }, "disrupted flights can't be read now and will be soon");
  const disrupted = new DisruptedFlights({ models, progress, onUnreadable });
  const { news } = disrupted;
  const handler = new CommandHandler({ store: events, state, clock, soleWriter, instance: instance?.id, news });
  const reviewer = openReviewer(host);
  const services: OperatorServices = {
    handler,
    gateway: gateway.open({ state, secretKey }),
    gatewayMonitor: new GatewayMonitor(logger),
    clock,
    ids,
    logger,
    bankAccount: BANK_ACCOUNT,
    loyaltyRates: settings.loyaltyRates,
    async findFlightOfHold(holdId) {
      await progress.waitUntil(DUE_TASKS.projection, await events.head(), HOLD_PROJECTED_WITHIN_MS);
      const row = await models.body(DUE_TASKS.due.model, dueTaskKey("expire_hold", holdId));
      return row && parseBody<{ readonly flightId: string }>(row).flightId;
    },
    webhooks: webhookServices({
      state,
      secretKey,
      targets: targetRules(settings),
      deliveries: new EndpointDeliveries({ store: state, wake: (lane) => queue.schedule(lane) }),
    }),
    documents: { uploads: new UploadStore(blobs, state, words, events), reviewer },
    words,
    quotas: quotas({ settings, models, progress, events, soleWriter, clock }),
    reachedFaultPoint,
    waitUncounted: (wait) => wait,
    store: events,
    models,
    state,
    disrupted,
    tolerance: { earlier: settings.disruptionEarlier * SECOND, later: settings.disruptionLater * SECOND },
    payerTexts: new PayerTexts({ state, secretKey, clock }),
    waitUntilProjected: (...asked) => catchUpMonitor.waitUntilProjected(...asked),
    removeTracesOfKeys,
  };
  const reviews = documentReviews({ ...core, services });
  const sweeps = newSweepScheduler({ ...core, services });
  const otherWork = combineWork(reviews.due, options.deliveries);
  const due = dueTasks({ ...core, services, catchUpMonitor, otherWork, sweeps });
  const inboundEvents = new InboundEvents(services);
  const reconciliation = new Reconciliation({ services, clock });
  const erasures = new Erasures(services, instance?.leases);
  const keptFor = {
    bookings: settings.retentionBookings,
    documents: settings.retentionDocuments,
    passengers: settings.retentionPassengers,
  };
  const retention = new Retention({ services, erasures, keptFor });
  registerCommandMetrics({ ...core, services, projector, reconciliation, list: due.list });

  const log = besideAnotherLog(knownLog, { state, positions, marks, forget: () => handler.forgetStreams() });
  let secretKeyChange: ReturnType<typeof changeSecretKey> = async () => undefined;
  const readinessDetails = {
    readOnly: async () => (settings.readOnly ? "nothing that is stored changes (READ_ONLY)" : undefined),
    projections: () => catchUpMonitor.stoppedLine(),
    payments: () => reconciliation.summary(),
    secretKey: () => secretKeyChange(),
    ...options.readinessDetails,
  };
  const { advanceBy } = due;
  const movable = settings.sandboxClock;
  const part = {
    routes: commandRoutes(services),
    plainRoutes: inboundEvents.routes(gateway.name),
    operatorRoutes: [
      ...commandOperatorRoutes(
        services,
        soleWriter ? { clock, movable, advanceBy } : sharedClock(clock, movable, advanceBy, shutdown),
        reconciliation,
        erasures,
        retention,
      ),
      ...tailRoutes(events, shutdown.begun),
      settingsRoute(settings),
      ...projectionRoutes(projector, new SkippedEvents(state), shutdown.begun, () => log.giveUp()),
      ...summaryRoutes({
        ...host,
        services,
        metrics,
        health: { readiness, lifecycle, readinessDetails },
        areDueTasksKnown: async () => !(await catchUpMonitor.isStopped(DUE_TASKS.projection)),
      }),
    ],
    readinessDetails,
    positions: withProjectionFallback(positions, (position) => catchUpMonitor.waitUntilShown(position)),
    refuseWrite: (isUpload: boolean) => options.refuseWrite?.(isUpload) ?? log.refuseWrite(),
    issuesTokens: true,
  } satisfies Part;

  return {
    ...part,
    catchUpMonitor,
    whileNothingIsErased: <Result>(work: () => Promise<Result>) => erasures.whileNothingIsErased(work),
    assignSeats: async (bookingId: string) => (await assignSeats(services, bookingId)).position,
    /** From now on the log must be the one that the read models were built from. */
    compareLog: () => log.compare(),
    /**
     * Starts the schedulers, under leases if there are other processes. It runs before the first request, so all
     * unfinished work is of earlier processes.
     */
    async start(): Promise<void> {
      if (settings.readOnly) return shutdown.register("reviewer", () => reviewer.stop());
      sweepExpired(state, clock, shutdown);
      secretKeyChange = changeSecretKey({ state, keys, secretKey, logger, metrics, shutdown });
      const given = process.argv.includes("--erasures") ? await import("../erasures/erasures-file.ts") : undefined;
      await erasures.restore(given?.readErasures(process.argv)).catch((error: unknown) => {
        if (!(error instanceof OperatorError)) throw error;
        logger.warn({ err: error }, "traces of erased keys are left and will be removed soon");
      });
      const underLease = (name: string, work: (signal: AbortSignal) => Promise<void>) =>
        shutdown.run(name, (signal) => instance?.leases.runUnderLease(name, work, { signal }) ?? work(signal));
      if (instance === undefined) {
        const left = await tasksLeftBehind(due.list, clock);
        shutdown.run("scheduler", (signal) => due.scheduler.runUntil(signal, left));
      } else {
        const { presence } = instance;
        shutdown.run("presence", (signal) => presence.announce(signal));
        underLease("take-over", (signal) =>
          presence.watch(
            takeOver({ ...due, newScheduler: () => due.newScheduler("take-over"), clock, progress, events }),
            signal,
          ),
        );
        underLease("scheduler", (signal) => due.newScheduler("leased").runUntil(signal));
      }
      shutdown.run("disrupted flights", (signal) => disrupted.runUntil(signal));
      underLease("sweeps", (signal) => newSweepScheduler({ ...core, services }).runUntil(signal));
      underLease("retention", (signal) => retention.runUntil(mayBegin, signal));
      underLease("endpoint health", (signal) => watchEndpointHealth(services, mayBegin, signal));
      underLease("document reviews", (signal) => reviews.newScheduler().runUntil(signal));
      if (gateway.name !== "sandbox") underLease("reconciliation", (signal) => reconciliation.runUntil(signal));
      shutdown.register("gateway events", () => inboundEvents.stop());
      // The reviewer stops before the scheduler, which waits for tasks in flight.
      shutdown.register("reviewer", () => reviewer.stop());
      await startUploadSweeper(services, soleWriter, shutdown);
    },
  };
}
