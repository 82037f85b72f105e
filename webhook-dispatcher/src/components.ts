import type { ConnectionOptions } from "node:tls";
import type { JobQueue } from "@travel-booking/engines/job-queue";
import type { Leases } from "@travel-booking/engines/leases";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import { eventSortKeyAfter, type ProjectionProgress } from "@travel-booking/read-models";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { Clock, Logger } from "@travel-booking/runtime";
import { DeliveryStore, DueDeliveries, deliverablePosition } from "@travel-booking/webhooks/deliveries";
import type { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import type { Resolve } from "@travel-booking/webhooks/targets";
import { FanOut } from "./fan-out/fan-out.ts";
import { LaneLock } from "./lanes/lane-lock.ts";
import { FairLaneScheduler } from "./lanes/lane-scheduler.ts";
import { LaneWorker } from "./lanes/lane-worker.ts";
import { SlowEndpointTracker } from "./lanes/slow-endpoint-tracker.ts";
import type { DeliveryMetrics } from "./metrics.ts";
import { AttemptRecorder } from "./sending/attempt-recorder.ts";
import { ConnectionPools } from "./sending/connection-pools.ts";
import { DeliverySender } from "./sending/delivery-sender.ts";
import { EndpointResolver } from "./sending/endpoint-resolver.ts";
import { Sweeper } from "./sweeper.ts";

/** The step that has just been done. */
type DispatchFaultPoint =
  | "webhook:owed"
  | "webhook:followed"
  | "webhook:sending"
  | "webhook:answered"
  | "webhook:recorded";

export interface DispatcherOptions {
  readonly state: StateStore;
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  readonly queue: JobQueue;
  /** Of several dispatchers; absent: there is only one. */
  readonly shared?: {
    readonly leases: Pick<Leases, "runUnderLease">;
    /** Identifies this process: an id that is never reused. */
    readonly holder: string;
  };
  readonly clock: Clock;
  readonly secrets: Pick<WebhookSecrets, "get">;
  readonly words: Pick<SealedWords, "reveal" | "sealBeside">;
  /** `WEBHOOK_ALLOW_PRIVATE_TARGETS`. */
  readonly allowPrivate: boolean;
  readonly deliveryMetrics: DeliveryMetrics;
  readonly logger: Logger;
  /** False while no attempt may begin, since its outcome could not be recorded; absent: true. */
  readonly mayBegin?: (() => boolean) | undefined;
  /** The name servers by default. */
  readonly resolve?: Resolve;
  /** Certificates of a private authority. */
  readonly tls?: Pick<ConnectionOptions, "ca">;
  /** Milliseconds of real time an attempt may take; 15,000 by default. */
  readonly attemptTimeoutMs?: number;
  /** From 0 to 1; `Math.random` by default. */
  readonly random?: () => number;
  /** Called after every step; tests let the process die there. */
  readonly reachedFaultPoint?: (name: DispatchFaultPoint) => void;
}

/** Concurrent attempts. */
const SLOTS = 1_024;
const SLOTS_PER_ENDPOINT = 32;
const SLOTS_PER_IMPAIRED_ENDPOINT = 4;
/** Real time before a lane is retried after an error. */
const FAILED_LANE_PAUSE_MS = 5_000;

export type DispatcherComponents = ReturnType<typeof dispatcherComponents>;

/** Creates and connects the parts of a dispatcher. */
export function dispatcherComponents(options: DispatcherOptions) {
  const { state, models, progress, queue, clock, deliveryMetrics, logger, shared, allowPrivate } = options;
  const { resolve, tls, attemptTimeoutMs: timeoutMs, reachedFaultPoint = () => undefined } = options;
  const { mayBegin = () => true } = options;
  const stored = new DeliveryStore(state);
  const lock = new LaneLock(stored.lanes, shared?.holder ?? null);
  const wake = (lane: string, delayMs?: number) => queue.schedule(lane, delayMs);
  const tryToWake = (lane: string, delayMs?: number) => {
    // The sweep finds lanes that were not woken.
    wake(lane, delayMs).catch((error: unknown) =>
      logger.debug({ err: error, lane }, "a wake-up of a webhook lane could not be queued"),
    );
  };
  const retryLater = (lane: string, error: unknown) => {
    logger.warn({ lane, err: error }, "processing a webhook lane failed and is retried");
    tryToWake(lane, FAILED_LANE_PAUSE_MS);
  };

  const connections = new ConnectionPools({ perEndpoint: SLOTS_PER_ENDPOINT, ...(tls && { tls }) });
  const sender = new DeliverySender({
    connections,
    allowPrivate,
    ...(resolve && { resolve }),
    ...(timeoutMs && { timeoutMs }),
  });
  const endpointResolver = new EndpointResolver({ models, secrets: options.secrets, clock, allowPrivate });
  const fanOut = new FanOut({ models, progress, stored, wake, reachedFaultPoint });
  const recorder = new AttemptRecorder({
    stored,
    lock,
    clock,
    random: options.random ?? Math.random,
    loadCheckpoint: () => fanOut.loadCheckpoint(),
    deliveryMetrics,
    logger,
  });

  const slowEndpoints = new SlowEndpointTracker({
    onChange: (endpointId, slow) => scheduler.setCondition(endpointId, { slow }),
  });
  const worker: LaneWorker = new LaneWorker({
    stored,
    models,
    words: options.words,
    endpointResolver,
    sender,
    slowEndpoints,
    recorder,
    lock,
    clock,
    reachedFaultPoint,
    areModelsComplete: async () => eventSortKeyAfter(deliverablePosition(progress)) > (await stored.checkpoint.load()),
    wakeLater: tryToWake,
    onRecovered: (endpointId) => void sweeper.checkEndpoint(endpointId).catch(() => undefined),
    onFailingSeen: (endpointId, failing) => scheduler.setCondition(endpointId, { failing }),
  });
  const scheduler: FairLaneScheduler = new FairLaneScheduler({
    async work(lane, signal) {
      if (mayBegin()) return worker.work(lane, signal);
      tryToWake(lane, FAILED_LANE_PAUSE_MS);
      return "done";
    },
    onFailure: retryLater,
    slots: SLOTS,
    perEndpoint: SLOTS_PER_ENDPOINT,
    perImpairedEndpoint: SLOTS_PER_IMPAIRED_ENDPOINT,
    isSlow: (endpointId) => slowEndpoints.isSlow(endpointId),
  });
  const sweeper: Sweeper = new Sweeper({
    stored,
    clock,
    deliveryMetrics,
    logger,
    wake: tryToWake,
    probe({ key, lane }) {
      worker.scheduleProbe(key);
      scheduler.enqueue(key, lane.accountId);
    },
    abandon: (endpointId) => scheduler.abandon(endpointId),
  });
  const due = new DueDeliveries({ store: state, models, progress });
  return {
    stored,
    connections,
    sender,
    endpointResolver,
    worker,
    scheduler,
    sweeper,
    fanOut,
    due,
    retryLater,
  };
}
