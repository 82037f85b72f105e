import {
  afterDelivery,
  afterFailedAttempt,
  afterFailedProbe,
  afterFailure,
  afterSuccess,
  applyHealthToLane,
  type EndpointHealth,
  type FailedAttempt,
  type Lane,
  type PendingDelivery,
} from "@travel-booking/domain";
import type { Clock, Logger } from "@travel-booking/runtime";
import {
  type AttemptLog,
  type DeliveryAttempt,
  type EndpointStates,
  type LaneRecord,
  type Lanes,
  parseLaneKey,
  type StoredLane,
} from "@travel-booking/webhooks/deliveries";
import type { LaneLock } from "../lanes/lane-lock.ts";
import type { AttemptResult } from "../sending/delivery-sender.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";

export interface AttemptRecorderOptions {
  readonly lanes: Lanes;
  readonly endpoints: EndpointStates;
  readonly log: Pick<AttemptLog, "add">;
  readonly lock: LaneLock;
  readonly clock: Clock;
  /** From 0 to 1, at random. */
  readonly random: () => number;
  /** The place up to which all events are known to have been added to their lanes, durably. */
  readonly loadCheckpoint: () => Promise<string>;
  readonly newId: () => string;
  readonly deliveryMetrics: DeliveryMetrics;
  readonly logger: Logger;
}

/** An attempt, and what it was made on. */
export interface CompletedAttempt {
  readonly stored: StoredLane;
  readonly delivery: PendingDelivery;
  /** The endpoint's, when the attempt began. */
  readonly health: EndpointHealth;
  readonly isProbe: boolean;
  readonly deliveredAt: number;
  readonly attempt: AttemptResult;
}

export interface RecordedAttempt {
  /** Undefined: nothing is left of it, or it is in other hands. */
  readonly lane: StoredLane | undefined;
  readonly health: EndpointHealth;
}

/** Records what became of attempts: in the endpoint's health, in the lane, and in the log. */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  async record(made: CompletedAttempt): Promise<RecordedAttempt> {
    const { lanes, log, lock, clock, random, deliveryMetrics } = this.#options;
    const { stored, attempt } = made;
    const health = await this.#recordHealth(made);
    const settled = isLastPending(stored.lane) ? await this.#options.loadCheckpoint() : "";
    const step = laneTransition(made, health, clock.now(), random());
    const change = (lane: LaneRecord | undefined) => {
      if (lane === undefined || !lock.isHeldByUs(lane)) return lane;
      const next = step(lane).lane;
      return next === lane && lane.holder === null ? lane : { ...lane, ...next, holder: null };
    };
    const entry = this.#entry(made, step(stored.lane).nextAt);
    const [lane] = await Promise.all([
      lanes.change(stored.key, change, {
        // Where others may have had the lane meanwhile, its version alone does not tell.
        known: lock.holder === null ? stored : undefined,
        keepEmpty: ({ last }) => last > settled,
      }),
      log.add(entry),
    ]);
    deliveryMetrics.recordAttempt(entry.status, attempt.durationMs / 1_000, entry.attempt > 1);
    if (entry.status === "exhausted") this.#logExhausted(entry);
    return { lane, health };
  }

  async #recordHealth({
    stored,
    health,
    isProbe,
    deliveredAt,
    attempt: { outcome },
  }: CompletedAttempt): Promise<EndpointHealth> {
    const at = this.#options.clock.now();
    const change = (known: EndpointHealth) => {
      if (outcome.ok) return afterSuccess(known, at);
      const failed = afterFailure(known, { at, reason: outcome.error, gone: outcome.gone });
      return isProbe ? afterFailedProbe(failed, deliveredAt) : failed;
    };
    if (change(health) === health) return health;
    const { endpointId } = parseLaneKey(stored.key);
    const { before, after } = await this.#options.endpoints.change(endpointId, change);
    if (after.health.status === "paused" && before.health.status !== "paused")
      this.#reportPause(endpointId, after.health);
    return after.health;
  }

  #entry(
    { stored, delivery, health, isProbe, deliveredAt, attempt }: CompletedAttempt,
    nextAt: number | null,
  ): DeliveryAttempt {
    const { outcome, signature, durationMs } = attempt;
    const { endpointId, bookingId } = parseLaneKey(stored.key);
    return {
      id: this.#options.newId(),
      endpointId,
      accountId: stored.lane.accountId,
      eventId: delivery.eventId,
      eventType: delivery.type,
      bookingId,
      status: outcome.ok ? "succeeded" : nextAt === null && !isProbe ? "exhausted" : "failed",
      attempt: isProbe ? 0 : applyHealthToLane(stored.lane, health).failures + 1,
      responseStatus: outcome.responseStatus,
      error: outcome.ok ? null : outcome.error,
      durationMs,
      deliveredAt,
      nextAttemptAt: nextAt,
      signature,
    };
  }

  #logExhausted({ endpointId, accountId, eventId }: DeliveryAttempt): void {
    this.#options.logger.warn(
      { endpointId, accountId, eventId },
      "a webhook delivery is exhausted: its last attempt failed",
    );
  }

  #reportPause(endpointId: string, { reason, probeAt }: EndpointHealth): void {
    this.#options.deliveryMetrics.recordPause(probeAt === null ? "gone" : "failing");
    this.#options.logger.warn({ endpointId, reason }, "a webhook endpoint is paused");
  }
}

/** What an attempt makes of the lane, as it is by then. */
function laneTransition(
  { delivery, health, isProbe, attempt }: CompletedAttempt,
  after: EndpointHealth,
  at: number,
  chance: number,
) {
  const { outcome } = attempt;
  return (stored: Lane): FailedAttempt => {
    const lane = applyHealthToLane(stored, health);
    if (outcome.ok) return { lane: afterDelivery(lane, delivery.sort), nextAt: null };
    // A probe that fails says nothing about the delivery it was made with.
    if (isProbe) return { lane: stored, nextAt: after.probeAt };
    return afterFailedAttempt(lane, delivery.sort, { at, chance, retryAfter: outcome.retryAfter });
  };
}

function isLastPending({ owed, more }: Lane): boolean {
  return owed.length <= 1 && more === 0;
}
