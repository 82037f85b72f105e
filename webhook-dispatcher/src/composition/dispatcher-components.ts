import { randomUUID } from "node:crypto";
import { eventSortKeyAfter, visiblePosition } from "@travel-booking/read-models";
import {
  AttemptLog,
  DueDeliveries,
  EndpointStates,
  FanOutCheckpoint,
  Lanes,
  ReplayRequests,
} from "@travel-booking/webhooks/deliveries";
import { AttemptRecorder } from "../delivering/attempt-recorder.ts";
import { EndpointResolver } from "../delivering/endpoint-resolver.ts";
import { FanOut } from "../fan-out/fan-out.ts";
import { FanOutLoop } from "../fan-out/fan-out-loop.ts";
import { loadMoreDeliveries } from "../fan-out/load-more-deliveries.ts";
import { ReplayProcessor } from "../fan-out/replay-processor.ts";
import { FairLaneScheduler } from "../lanes/fair-lane-scheduler.ts";
import { LaneAccounts } from "../lanes/lane-accounts.ts";
import { SINGLE_PROCESS_LOCK, StoredLaneLock } from "../lanes/lane-lock.ts";
import { LaneWorker } from "../lanes/lane-worker.ts";
import { SlowEndpointTracker } from "../lanes/slow-endpoint-tracker.ts";
import { ConnectionPools } from "../sending/connection-pools.ts";
import { DeliverySender } from "../sending/delivery-sender.ts";
import { Sweeper } from "../sweeping/sweeper.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";

/** Attempts at once. */
const SLOTS = 1_024;
const PER_ENDPOINT = 32;
const PER_IMPAIRED_ENDPOINT = 4;
/** Real time before a lane is tried again that could not be worked on. */
const FAILED_LANE_PAUSE_MS = 5_000;

/** Everything a dispatcher is made of, put together. */
export function dispatcherComponents(options: DispatcherOptions) {
  const {
    state,
    models,
    progress,
    queue,
    clock,
    deliveryMetrics,
    logger,
    holder,
    reachedFaultPoint = () => undefined,
  } = options;
  const lanes = new Lanes(state);
  const endpoints = new EndpointStates(state);
  const checkpoint = new FanOutCheckpoint(state);
  const requests = new ReplayRequests(state);
  const wake = (lane: string, delayMs?: number) => queue.schedule(lane, delayMs);
  const wakeSoon = (lane: string, delayMs?: number) => {
    // The sweep finds what is not woken.
    wake(lane, delayMs).catch((error: unknown) =>
      logger.debug({ err: error, lane }, "a wake-up of a webhook lane could not be queued"),
    );
  };

  const connections = new ConnectionPools({ perEndpoint: PER_ENDPOINT, ...(options.tls && { tls: options.tls }) });
  const { allowPrivate, resolve, attemptTimeoutMs: withinMs } = options;
  const attempts = new DeliverySender({
    connections,
    allowPrivate,
    ...(resolve && { resolve }),
    ...(withinMs && { timeoutMs: withinMs }),
  });
  const receivers = new EndpointResolver({ models, secrets: options.secrets, allowPrivate });
  const guard = holder === null ? SINGLE_PROCESS_LOCK : new StoredLaneLock({ lanes, holder });
  const fanOut = new FanOut({ models, progress, lanes, checkpoint, wake, reachedFaultPoint });
  const recorder = new AttemptRecorder({
    lanes,
    endpoints,
    log: new AttemptLog(state),
    lock: guard,
    clock,
    random: options.random ?? Math.random,
    loadCheckpoint: () => fanOut.loadCheckpoint(),
    newId: () => `dlv_${randomUUID().replaceAll("-", "")}`,
    deliveryMetrics,
    logger,
  });

  const paces = new SlowEndpointTracker({ onChange: (endpointId, slow) => fair.setCondition(endpointId, { slow }) });
  const worker: LaneWorker = new LaneWorker({
    lanes,
    endpoints,
    models,
    endpointResolver: receivers,
    sender: attempts,
    slowEndpoints: paces,
    recorder,
    lock: guard,
    clock,
    reachedFaultPoint,
    loadMoreDeliveries: (stored) => loadMoreDeliveries({ models, lanes, endpoints }, stored),
    areModelsComplete: async () => eventSortKeyAfter(visiblePosition(progress)) > (await checkpoint.load()),
    wakeLater: wakeSoon,
    onRestarted: (endpointId) => void keeper.checkEndpoint(endpointId).catch(() => undefined),
    onFailingSeen: (endpointId, failing) => fair.setCondition(endpointId, { failing }),
  });
  const fair: FairLaneScheduler = new FairLaneScheduler({
    work: (lane, signal) => worker.work(lane, signal),
    onFailure(lane, error) {
      logger.warn({ lane, err: error }, "processing a webhook lane failed and is retried");
      wakeSoon(lane, FAILED_LANE_PAUSE_MS);
    },
    slots: SLOTS,
    perEndpoint: PER_ENDPOINT,
    perImpairedEndpoint: PER_IMPAIRED_ENDPOINT,
    isSlow: (endpointId) => paces.isSlow(endpointId),
  });
  const keeper: Sweeper = new Sweeper({
    lanes,
    endpoints,
    checkpoint,
    clock,
    deliveryMetrics,
    logger,
    wake: wakeSoon,
    probe({ key, lane }) {
      worker.scheduleProbe(key);
      fair.enqueue(key, lane.accountId);
    },
    abandon: (endpointId) => fair.abandon(endpointId),
  });
  const follower = new FanOutLoop({
    fanOut,
    replays: new ReplayProcessor({ models, lanes, checkpoint, requests, wake }),
    progress,
  });
  const due = new DueDeliveries({ store: state, models, progress });
  return {
    accounts: new LaneAccounts(lanes),
    endpoints,
    requests,
    connections,
    attempts,
    receivers,
    worker,
    fair,
    keeper,
    follower,
    due,
  };
}

export type DispatcherComponents = ReturnType<typeof dispatcherComponents>;
