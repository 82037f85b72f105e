import {
  afterDelivery,
  afterFailedAttempt,
  afterFailedProbe,
  afterFailure,
  afterSuccess,
  applyHealthToLane,
  type EndpointHealth,
  type FailedAttempt,
  kindOfLane,
  type Lane,
  type PendingDelivery,
} from "@travel-booking/domain";
import { feedOf } from "@travel-booking/read-models";
import {
  attemptIdOf,
  type DeliveryAttempt,
  type EndpointState,
  type LaneRecord,
  parseLaneKey,
  type StoredLane,
} from "@travel-booking/webhooks/deliveries";
import type { DispatcherContext } from "../dispatcher-options.ts";
import type { AttemptResult } from "./delivery-sender.ts";

type AttemptRecorderOptions = Pick<
  DispatcherContext,
  "stored" | "lock" | "clock" | "random" | "deliveryMetrics" | "logger"
>;

/** An attempt at a delivery, on a lane that is locked for it. */
export interface Attempt {
  readonly locked: StoredLane;
  readonly delivery: PendingDelivery;
  /** The state of the endpoint when the attempt began. */
  readonly state: EndpointState;
  readonly isProbe: boolean;
}

interface CompletedAttempt extends Attempt {
  readonly deliveredAt: number;
  readonly result: AttemptResult;
}

/** Records the outcome of attempts in the endpoint's health, in the lane and in the log. */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  /** Records an outcome and releases the lane. Resolves with the endpoint's health afterwards. */
  async record(completed: CompletedAttempt): Promise<EndpointHealth> {
    const { lock, clock, random, deliveryMetrics, logger } = this.#options;
    const { lanes, attempts, checkpoints, failing } = this.#options.stored;
    const { locked: stored, result } = completed;
    const health = await this.#recordHealth(completed);
    const kind = kindOfLane(stored.lane);
    const fannedOutTo = await checkpoints.load(feedOf(kind));
    const transition = laneTransition(completed, health, clock.now(), random());
    const change = (lane: LaneRecord | undefined) => {
      if (lane === undefined || !lock.isHeldByUs(lane)) return lane;
      const next = transition(lane).lane;
      return next === lane && lane.holder === null ? lane : { ...lane, ...next, holder: null };
    };
    const entry = this.#entry(completed, transition(stored.lane).nextAt);
    // An attempt to tell of another endpoint lets nothing be told, so telling never causes telling.
    const isTold = health.status !== "active" && kind !== "endpoint";
    await Promise.all([
      lanes.change(stored.key, change, ({ last }) => last > fannedOutTo),
      attempts.add(entry),
      isTold && failing.add(entry.endpointId, stored.lane.accountId),
    ]);
    deliveryMetrics.recordAttempt(entry.status, result.durationMs / 1_000, entry.attempt > 1);
    if (entry.status === "exhausted") {
      const { endpointId, accountId, eventId } = entry;
      logger.warn({ endpointId, accountId, eventId }, "a webhook delivery is exhausted: its last attempt failed");
    }
    return health;
  }

  async #recordHealth({
    locked,
    state: { health },
    isProbe,
    deliveredAt,
    result: { outcome },
  }: CompletedAttempt): Promise<EndpointHealth> {
    const { stored, clock, deliveryMetrics, logger } = this.#options;
    const at = clock.now();
    const change = (known: EndpointHealth) => {
      if (outcome.ok) return afterSuccess(known, at);
      const failed = afterFailure(known, { at, reason: outcome.error, gone: outcome.gone });
      return isProbe ? afterFailedProbe(failed, deliveredAt) : failed;
    };
    if (change(health) === health) return health;
    const { endpointId } = parseLaneKey(locked.key);
    const { before, after } = await stored.endpoints.change(endpointId, change);
    const { status, reason, probeAt } = after.health;
    if (status === "paused" && before.health.status !== status) {
      deliveryMetrics.recordPause(probeAt === null ? "gone" : "failing");
      logger.warn({ endpointId, reason }, "a webhook endpoint is paused");
    }
    return after.health;
  }

  #entry(
    { locked: stored, delivery, state, isProbe, deliveredAt, result }: CompletedAttempt,
    nextAt: number | null,
  ): DeliveryAttempt {
    const { outcome, signature, durationMs } = result;
    const { endpointId, about } = parseLaneKey(stored.key);
    return {
      id: attemptIdOf(deliveredAt),
      endpointId,
      accountId: stored.lane.accountId,
      eventId: delivery.eventId,
      eventType: delivery.type,
      bookingId: kindOfLane(stored.lane) === "booking" ? about : null,
      status: outcome.ok ? "succeeded" : nextAt === null && !isProbe ? "exhausted" : "failed",
      attempt: isProbe ? 0 : applyHealthToLane(stored.lane, state.health).failures + 1,
      responseStatus: outcome.responseStatus,
      error: outcome.ok ? null : outcome.error,
      ...(outcome.ok || outcome.excerpt === null ? {} : { excerpt: outcome.excerpt }),
      durationMs,
      deliveredAt,
      nextAttemptAt: nextAt,
      signature,
    };
  }
}

/** How an attempt changes its lane. */
function laneTransition(
  { delivery, state, isProbe, result }: CompletedAttempt,
  after: EndpointHealth,
  at: number,
  chance: number,
) {
  const { outcome } = result;
  return (stored: Lane): FailedAttempt => {
    const lane = applyHealthToLane(stored, state.health);
    if (outcome.ok) return { lane: afterDelivery(lane, delivery.sort), nextAt: null };
    // A failed probe does not count against its delivery.
    if (isProbe) return { lane: stored, nextAt: after.probeAt };
    return afterFailedAttempt(lane, delivery.sort, { at, chance, retryAfter: outcome.retryAfter });
  };
}
