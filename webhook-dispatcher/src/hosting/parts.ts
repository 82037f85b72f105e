import { randomUUID } from "node:crypto";
import { eventsUpTo, visiblePosition } from "@travel-booking/read-models";
import {
  AttemptLog,
  DueDeliveries,
  EndpointStates,
  FanOutCheckpoint,
  Lanes,
  ReplayRequests,
} from "@travel-booking/webhooks/deliveries";
import { Receivers } from "../delivering/receivers.ts";
import { Recorder } from "../delivering/recorder.ts";
import { FanOut } from "../following/fan-out.ts";
import { Follower } from "../following/follower.ts";
import { nameMore } from "../following/name-more.ts";
import { Replays } from "../following/replay.ts";
import { Keeper } from "../keeping/keeper.ts";
import { FairLanes } from "../lanes/fair-lanes.ts";
import { LaneAccounts } from "../lanes/lane-accounts.ts";
import { ALONE, HeldLanes } from "../lanes/lane-guard.ts";
import { LaneWorker } from "../lanes/lane-worker.ts";
import { Paces } from "../lanes/paces.ts";
import { Attempts } from "../sending/attempt.ts";
import { Connections } from "../sending/connections.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";

/** Attempts at once. */
const SLOTS = 1_024;
const PER_ENDPOINT = 32;
const PER_IMPAIRED_ENDPOINT = 4;
/** Real time before a lane is tried again that could not be worked on. */
const FAILED_LANE_PAUSE_MS = 5_000;

/** Everything a dispatcher is made of, put together. */
export function dispatcherParts(options: DispatcherOptions) {
  const { state, models, progress, queue, clock, tally, logger, holder, reached = () => undefined } = options;
  const lanes = new Lanes(state);
  const endpoints = new EndpointStates(state);
  const checkpoint = new FanOutCheckpoint(state);
  const requests = new ReplayRequests(state);
  const wake = (lane: string, delayMs?: number) => queue.wake(lane, delayMs);
  const wakeSoon = (lane: string, delayMs?: number) => {
    // The sweep finds what is not woken.
    wake(lane, delayMs).catch((error: unknown) => logger.debug({ err: error, lane }, "a lane could not be woken"));
  };

  const connections = new Connections({ perEndpoint: PER_ENDPOINT, ...(options.tls && { tls: options.tls }) });
  const { allowPrivate, resolve, attemptWithinMs: withinMs } = options;
  const attempts = new Attempts({
    connections,
    allowPrivate,
    ...(resolve && { resolve }),
    ...(withinMs && { withinMs }),
  });
  const receivers = new Receivers({ models, secrets: options.secrets, allowPrivate });
  const guard = holder === null ? ALONE : new HeldLanes({ lanes, holder });
  const fanOut = new FanOut({ models, progress, lanes, checkpoint, wake, reached });
  const recorder = new Recorder({
    lanes,
    endpoints,
    log: new AttemptLog(state),
    guard,
    clock,
    chance: options.chance ?? Math.random,
    fannedOutTo: () => fanOut.fannedOutTo(),
    newId: () => `dlv_${randomUUID().replaceAll("-", "")}`,
    tally,
    logger,
  });

  const paces = new Paces({ changed: (endpointId, slow) => fair.mark(endpointId, { slow }) });
  const worker: LaneWorker = new LaneWorker({
    lanes,
    endpoints,
    models,
    receivers,
    attempts,
    paces,
    recorder,
    guard,
    clock,
    reached,
    nameMore: (stored) => nameMore({ models, lanes, endpoints }, stored),
    isWhole: async () => eventsUpTo(visiblePosition(progress)) > (await checkpoint.load()),
    wakeLater: wakeSoon,
    restarted: (endpointId) => void keeper.lookAt(endpointId).catch(() => undefined),
    seen: (endpointId, failing) => fair.mark(endpointId, { failing }),
  });
  const fair: FairLanes = new FairLanes({
    work: (lane, signal) => worker.work(lane, signal),
    failed(lane, error) {
      logger.warn({ lane, err: error }, "a webhook lane could not be worked on and is tried again");
      wakeSoon(lane, FAILED_LANE_PAUSE_MS);
    },
    slots: SLOTS,
    perEndpoint: PER_ENDPOINT,
    perImpairedEndpoint: PER_IMPAIRED_ENDPOINT,
    isSlow: (endpointId) => paces.isSlow(endpointId),
  });
  const keeper: Keeper = new Keeper({
    lanes,
    endpoints,
    checkpoint,
    clock,
    tally,
    logger,
    wake: wakeSoon,
    probe({ key, lane }) {
      worker.probeWith(key);
      fair.add(key, lane.accountId);
    },
    abandon: (endpointId) => fair.abandon(endpointId),
  });
  const follower = new Follower({
    fanOut,
    replays: new Replays({ models, lanes, checkpoint, requests, wake }),
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

export type DispatcherParts = ReturnType<typeof dispatcherParts>;
