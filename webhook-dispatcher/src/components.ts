import { eventSortKeyAfter, isAccountActive } from "@travel-booking/read-models";
import { DeliveryStore, DueDeliveries, deliverablePosition } from "@travel-booking/webhooks/deliveries";
import type { DispatcherContext, DispatcherOptions } from "./dispatcher-options.ts";
import { FanOut } from "./fan-out/fan-out.ts";
import { PerTickCache } from "./lanes/event-loop.ts";
import { LaneLock } from "./lanes/lane-lock.ts";
import { FairLaneScheduler } from "./lanes/lane-scheduler.ts";
import { LaneWorker } from "./lanes/lane-worker.ts";
import { Paces } from "./lanes/paces.ts";
import { SlowEndpointTracker } from "./lanes/slow-endpoint-tracker.ts";
import { AttemptRecorder } from "./sending/attempt-recorder.ts";
import { ConnectionPools } from "./sending/connection-pools.ts";
import { DeliverySender } from "./sending/delivery-sender.ts";
import { EndpointResolver } from "./sending/endpoint-resolver.ts";
import { Sweeper } from "./sweeper.ts";

/** Concurrent attempts. */
const SLOTS = 1_024;
const SLOTS_PER_ENDPOINT = 32;
const SLOTS_PER_IMPAIRED_ENDPOINT = 4;
/** Real time before a lane is retried after an error. */
const FAILED_LANE_PAUSE_MS = 5_000;

export type DispatcherComponents = ReturnType<typeof dispatcherComponents>;

/** Creates and connects the parts of a dispatcher. */
export function dispatcherComponents(options: DispatcherOptions) {
  const { progress, queue, logger, instance, tls, mayBegin = () => true } = options;
  const stored = new DeliveryStore(options.state);
  const accounts = new PerTickCache<boolean>();
  const context: DispatcherContext = {
    random: Math.random,
    reachedFaultPoint: () => undefined,
    ...options,
    stored,
    lock: new LaneLock(stored.lanes, instance?.id ?? null),
    isActive: (accountId) => accounts.get(accountId, () => isAccountActive(options.models, accountId)),
  };
  const tryToWake = (lane: string, delayMs?: number) => {
    // The sweep finds lanes that were not woken.
    queue
      .schedule(lane, delayMs)
      .catch((error: unknown) => logger.debug({ err: error, lane }, "a wake-up of a webhook lane could not be queued"));
  };
  const retryLater = (lane: string, error: unknown) => {
    logger.warn({ lane, err: error }, "processing a webhook lane failed and is retried");
    tryToWake(lane, FAILED_LANE_PAUSE_MS);
  };

  const connections = new ConnectionPools({ perEndpoint: SLOTS_PER_ENDPOINT, ...(tls && { tls }) });
  const sender = new DeliverySender({ ...context, connections });
  const endpointResolver = new EndpointResolver(context);
  const fanOut = new FanOut(context);
  const recorder = new AttemptRecorder(context);
  const slowEndpoints = new SlowEndpointTracker((endpointId, slow) => scheduler.setCondition(endpointId, { slow }));
  const worker: LaneWorker = new LaneWorker({
    ...context,
    endpointResolver,
    sender,
    slowEndpoints,
    recorder,
    paces: new Paces(options),
    areModelsComplete: (feed) =>
      stored.checkpoints.load(feed).then((upTo) => eventSortKeyAfter(deliverablePosition(progress, feed)) > upTo),
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
    ...context,
    wake: tryToWake,
    probe({ key, lane }) {
      worker.scheduleProbe(key);
      scheduler.enqueue(key, lane.accountId);
    },
    abandon: (endpointId) => scheduler.abandon(endpointId),
  });
  const due = new DueDeliveries({ ...options, store: options.state });
  return { stored, connections, sender, endpointResolver, worker, scheduler, sweeper, fanOut, due, retryLater };
}
