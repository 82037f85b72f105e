import type { Instant } from "../shared/decision.ts";
import { DAY, HOUR } from "../shared/time.ts";
import { MIN_TIME_TO_EXHAUSTION } from "./attempts.ts";
import { type ExhaustedDelivery, type Lane, NO_ATTEMPTS } from "./lane.ts";

/** An endpoint that fails this long, without a single success, is paused. */
const FAILING_LIMIT = { duration: 5 * DAY, inWords: "five days" };
/** How often a paused endpoint is probed, with its oldest pending delivery. */
const PROBE_INTERVAL = HOUR;

/** The end of an endpoint's failure. */
export interface EndpointRecovery {
  /** Its first failed attempt. */
  readonly since: Instant;
  readonly at: Instant;
  /** True after a pause, or if the owner resumed it. Then everything exhausted meanwhile is pending again. */
  readonly resumed: boolean;
}

/** Whether an endpoint accepts its deliveries. JSON. */
export interface EndpointHealth {
  readonly status: "active" | "failing" | "paused";
  /** When this status began; null if it never had another. */
  readonly since: Instant | null;
  /** The reason why it is not active, for people. */
  readonly reason: string | null;
  /** The first failed attempt since the last success; null while it is active. */
  readonly failingSince: Instant | null;
  /** When a paused endpoint is probed next; null: not until its owner resumes it. */
  readonly probeAt: Instant | null;
  /**
   * Recoveries, oldest first: the latest one, and each earlier one that requeued deliveries, because some lanes may not
   * have applied it yet.
   */
  readonly restarts: readonly EndpointRecovery[];
}

/** Above this number the oldest are merged, because an extra retry is better than a lost one. */
const MAX_RECOVERIES = 8;

export const HEALTHY: EndpointHealth = {
  status: "active",
  since: null,
  reason: null,
  failingSince: null,
  probeAt: null,
  restarts: [],
};

/** A failed attempt. */
export interface Failure {
  readonly at: Instant;
  /** For people. */
  readonly reason: string;
  /** The receiver answered 410 Gone. */
  readonly gone: boolean;
}

/** After a successful attempt. A success that was in flight when the receiver answered 410 changes nothing. */
export function afterSuccess(health: EndpointHealth, at: Instant): EndpointHealth {
  if (health.status === "active" || isGone(health)) return health;
  return recovered(health, at, health.status === "paused");
}

/** After an attempt that failed. */
export function afterFailure(health: EndpointHealth, failure: Failure): EndpointHealth {
  const { at, reason, gone } = failure;
  const failingSince = health.failingSince ?? at;
  if (isGone(health)) return health;
  if (gone) return { ...health, status: "paused", since: at, reason, failingSince, probeAt: null };
  if (health.status === "active") return { ...health, status: "failing", since: at, reason, failingSince };
  return healthAt(failingFor(health, reason), at);
}

/** Whether the receiver answered 410 Gone, so that only the owner can resume the endpoint. */
function isGone({ status, probeAt }: EndpointHealth): boolean {
  return status === "paused" && probeAt === null;
}

/** Owners see the latest reason. */
function failingFor(health: EndpointHealth, reason: string): EndpointHealth {
  const latest = health.status === "paused" ? pausedFor(reason) : reason;
  return latest === health.reason ? health : { ...health, reason: latest };
}

function pausedFor(reason: string | null): string {
  return `no delivery has succeeded for ${FAILING_LIMIT.inWords}: ${reason}`;
}

/** The health at `now`. An endpoint that fails for too long is paused even without another attempt. */
export function healthAt(health: EndpointHealth, now: Instant): EndpointHealth {
  const lapsesAt = pausesAt(health);
  if (lapsesAt === undefined || now < lapsesAt) return health;
  const reason = pausedFor(health.reason);
  return { ...health, status: "paused", since: lapsesAt, reason, probeAt: lapsesAt + PROBE_INTERVAL };
}

/** When time alone pauses it; undefined if it is not failing. */
export function pausesAt({ status, failingSince }: EndpointHealth): Instant | undefined {
  return status === "failing" && failingSince !== null ? failingSince + FAILING_LIMIT.duration : undefined;
}

/** Whether a paused endpoint is to be tried now. */
export function isProbeDue({ status, probeAt }: EndpointHealth, now: Instant): boolean {
  return status === "paused" && probeAt !== null && now >= probeAt;
}

/** Whether a paused endpoint failed a probe after this moment. */
export function wasProbedAfter({ since, probeAt }: EndpointHealth, moment: Instant): boolean {
  if (since === null || probeAt === null) return false;
  const probedAt = probeAt - PROBE_INTERVAL;
  // The first probe follows an hour after the pause.
  return probedAt > since && probedAt > moment;
}

/** After a failed probe. The next one is due an hour after it was made; until it fails, a probe stays due. */
export function afterFailedProbe(health: EndpointHealth, madeAt: Instant): EndpointHealth {
  return health.status === "paused" && health.probeAt !== null
    ? { ...health, probeAt: madeAt + PROBE_INTERVAL }
    : health;
}

/** The owner resumes the endpoint. */
export function afterResume(health: EndpointHealth, at: Instant): EndpointHealth {
  return health.status === "active" ? health : recovered(health, at, true);
}

/** Whether this recovery may requeue deliveries, because it ends back-offs or revives exhausted deliveries. */
export function requeuesDeliveries({ since, at, resumed: isResumed }: EndpointRecovery): boolean {
  return isResumed || at - since >= MIN_TIME_TO_EXHAUSTION;
}

function recovered(health: EndpointHealth, at: Instant, isResumed: boolean): EndpointHealth {
  const restart = { since: health.failingSince ?? at, at, resumed: isResumed };
  return { ...HEALTHY, since: at, restarts: mergeOldest([...health.restarts.filter(requeuesDeliveries), restart]) };
}

function mergeOldest(restarts: readonly EndpointRecovery[]): readonly EndpointRecovery[] {
  const [oldest, next, ...rest] = restarts;
  if (restarts.length <= MAX_RECOVERIES || oldest === undefined || next === undefined) return restarts;
  const both = { since: oldest.since, at: next.at, resumed: oldest.resumed || next.resumed };
  return [both, ...rest];
}

/** Applies the endpoint's health to a lane: exhausted deliveries are requeued and back-offs end. */
export function applyHealthToLane(lane: Lane, health: EndpointHealth): Lane {
  const ends = recoveries(health);
  const last = ends.at(-1);
  if (last === undefined) return lane;
  const isOver = ({ exhaustedAt }: ExhaustedDelivery) => exhaustedAt <= last.at;
  const over = lane.exhausted.filter(isOver);
  const back = over.filter((delivery) => isRequeued(delivery, ends));
  const { triedAt } = lane;
  const waits = lane.failures > 0 && triedAt !== null && ends.some(({ resumed, at }) => resumed && triedAt <= at);
  if (over.length === 0 && !waits) return lane;
  const exhausted = lane.exhausted.filter((delivery) => !isOver(delivery));
  if (back.length === 0) return { ...lane, ...(waits ? NO_ATTEMPTS : {}), exhausted };
  const again = back.map(({ eventId, type, sort, at }) => ({ eventId, type, sort, at, again: true }) as const);
  return { ...lane, ...NO_ATTEMPTS, owed: [...again, ...lane.owed], exhausted };
}

/** A pause counts as a recovery, because the pending deliveries are known and only sending waits. */
function recoveries({ status, failingSince, restarts }: EndpointHealth): readonly EndpointRecovery[] {
  if (status !== "paused") return restarts;
  return [...restarts, { since: failingSince ?? 0, at: Number.MAX_SAFE_INTEGER, resumed: true }];
}

/**
 * After a pause, everything exhausted since the failure began is requeued. Otherwise only deliveries whose attempts all
 * failed during the failure are, once. An event that its receiver rejects while it accepts others stays exhausted. The
 * first recovery after the exhaustion decides, because the lane may not have been loaded since.
 */
function isRequeued({ exhaustedAt, firstAt, again }: ExhaustedDelivery, ends: readonly EndpointRecovery[]): boolean {
  const end = ends.find(({ at }) => exhaustedAt <= at);
  if (end === undefined || exhaustedAt < end.since) return false;
  return end.resumed || (firstAt >= end.since && again !== true);
}
