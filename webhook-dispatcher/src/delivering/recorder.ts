import {
  afterDelivery,
  afterFailedAttempt,
  afterFailure,
  afterSuccess,
  type EndpointHealth,
  type FailedAttempt,
  type Lane,
  laneUnder,
  type OwedDelivery,
  probed,
} from "@travel-booking/domain";
import type { Clock, Logger } from "@travel-booking/runtime";
import {
  type AttemptLog,
  type DeliveryAttempt,
  type EndpointStates,
  type LaneRecord,
  type Lanes,
  laneName,
  type StoredLane,
} from "@travel-booking/webhooks/deliveries";
import type { LaneGuard } from "../lanes/lane-guard.ts";
import type { Attempt } from "../sending/attempt.ts";
import type { Tally } from "./tally.ts";

export interface RecorderOptions {
  readonly lanes: Lanes;
  readonly endpoints: EndpointStates;
  readonly log: Pick<AttemptLog, "add">;
  readonly guard: LaneGuard;
  readonly clock: Clock;
  /** From 0 to 1, at random. */
  readonly chance: () => number;
  /** The place up to which all events are known to have been added to their lanes, durably. */
  readonly fannedOutTo: () => Promise<string>;
  readonly newId: () => string;
  readonly tally: Tally;
  readonly logger: Logger;
}

/** An attempt, and what it was made on. */
export interface Made {
  readonly stored: StoredLane;
  readonly delivery: OwedDelivery;
  /** The endpoint's, when the attempt began. */
  readonly health: EndpointHealth;
  readonly isProbe: boolean;
  readonly deliveredAt: number;
  readonly attempt: Attempt;
}

export interface Recorded {
  /** Undefined: nothing is left of it, or it is in other hands. */
  readonly lane: StoredLane | undefined;
  readonly health: EndpointHealth;
}

/** Records what became of attempts: in the endpoint's health, in the lane, and in the log. */
export class Recorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  async record(made: Made): Promise<Recorded> {
    const { lanes, log, guard, clock, chance, tally } = this.#options;
    const { stored, attempt } = made;
    const health = await this.#recordHealth(made);
    const settled = isLastOwed(stored.lane) ? await this.#options.fannedOutTo() : "";
    const step = stepFor(made, health, clock.now(), chance());
    const change = (lane: LaneRecord | undefined) => {
      if (lane === undefined || !guard.isOurs(lane)) return lane;
      const next = step(lane).lane;
      return next === lane && lane.holder === null ? lane : { ...lane, ...next, holder: null };
    };
    const entry = this.#entry(made, step(stored.lane).nextAt);
    const [lane] = await Promise.all([
      lanes.change(stored.key, change, {
        // Where others may have had the lane meanwhile, its version alone does not tell.
        known: guard.holder === null ? stored : undefined,
        keepSpent: ({ last }) => last > settled,
      }),
      log.add(entry),
    ]);
    tally.attempt(entry.status, attempt.durationMs / 1_000, entry.attempt > 1);
    if (entry.status === "exhausted") this.#tellOfExhausted(entry);
    return { lane, health };
  }

  async #recordHealth({ stored, health, isProbe, deliveredAt, attempt: { outcome } }: Made): Promise<EndpointHealth> {
    const at = this.#options.clock.now();
    const change = (known: EndpointHealth) => {
      if (outcome.ok) return afterSuccess(known, at);
      const failed = afterFailure(known, { at, reason: outcome.error, gone: outcome.gone });
      return isProbe ? probed(failed, deliveredAt) : failed;
    };
    if (change(health) === health) return health;
    const { endpointId } = laneName(stored.key);
    const { before, after } = await this.#options.endpoints.change(endpointId, change);
    if (after.health.status === "paused" && before.health.status !== "paused")
      this.#tellOfPause(endpointId, after.health);
    return after.health;
  }

  #entry({ stored, delivery, health, isProbe, deliveredAt, attempt }: Made, nextAt: number | null): DeliveryAttempt {
    const { outcome, signature, durationMs } = attempt;
    const { endpointId, bookingId } = laneName(stored.key);
    return {
      id: this.#options.newId(),
      endpointId,
      accountId: stored.lane.accountId,
      eventId: delivery.eventId,
      eventType: delivery.type,
      bookingId,
      status: outcome.ok ? "succeeded" : nextAt === null && !isProbe ? "exhausted" : "failed",
      attempt: isProbe ? 0 : laneUnder(stored.lane, health).failures + 1,
      responseStatus: outcome.responseStatus,
      error: outcome.ok ? null : outcome.error,
      durationMs,
      deliveredAt,
      nextAttemptAt: nextAt,
      signature,
    };
  }

  #tellOfExhausted({ endpointId, accountId, eventId }: DeliveryAttempt): void {
    this.#options.logger.warn(
      { endpointId, accountId, eventId },
      "a webhook delivery is exhausted: its last attempt failed",
    );
  }

  #tellOfPause(endpointId: string, { reason, probeAt }: EndpointHealth): void {
    this.#options.tally.paused(probeAt === null ? "gone" : "failing");
    this.#options.logger.warn({ endpointId, reason }, "a webhook endpoint is paused");
  }
}

/** What an attempt makes of the lane, as it is by then. */
function stepFor({ delivery, health, isProbe, attempt }: Made, after: EndpointHealth, at: number, chance: number) {
  const { outcome } = attempt;
  return (stored: Lane): FailedAttempt => {
    const lane = laneUnder(stored, health);
    if (outcome.ok) return { lane: afterDelivery(lane, delivery.sort), nextAt: null };
    // A probe that fails says nothing about the delivery it was made with.
    if (isProbe) return { lane: stored, nextAt: after.probeAt };
    return afterFailedAttempt(lane, delivery.sort, { at, chance, retryAfter: outcome.retryAfter });
  };
}

function isLastOwed({ owed, more }: Lane): boolean {
  return owed.length <= 1 && more === 0;
}
