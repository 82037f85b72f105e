import type { Instant } from "../shared/decision.ts";
import { DAY, HOUR } from "../shared/time.ts";
import { MIN_TIME_TO_EXHAUSTION } from "./attempts.ts";
import { type ExhaustedDelivery, type Lane, NO_ATTEMPTS } from "./lane.ts";

/** A failure without a single success for so long pauses the endpoint. */
const FAILING_LIMIT = 5 * DAY;
/** A paused endpoint is tried so often, with the oldest delivery it is owed. */
const PROBE_INTERVAL = HOUR;

/** When an endpoint's failure ended. */
export interface EndpointRecovery {
  /** Its first failed attempt. */
  readonly since: Instant;
  readonly at: Instant;
  /** True after a pause, or where its owner asked for it: everything exhausted meanwhile is owed again. */
  readonly resumed: boolean;
}

/** How an endpoint takes its deliveries. JSON. */
export interface EndpointHealth {
  readonly status: "active" | "failing" | "paused";
  /** Since when it has this status; null: it never had another. */
  readonly since: Instant | null;
  /** Why it is not active, for people. */
  readonly reason: string | null;
  /** The first failed attempt since the last success; null while it is active. */
  readonly failingSince: Instant | null;
  /** Paused: when it is tried next; null: not before somebody resumes it. */
  readonly probeAt: Instant | null;
  /**
   * When its failures ended, oldest first: each that freed deliveries, since there may be lanes nobody has looked at
   * after it, and the last of all.
   */
  readonly restarts: readonly EndpointRecovery[];
}

/** Of more, the oldest count as one: rather is something owed again that was not to be, than the other way round. */
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
  /** The receiver said that it is gone for good (410). */
  readonly gone: boolean;
}

/** After an attempt that succeeded. One that was still under way when the receiver said that it is gone changes nothing. */
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

/** Whether its receiver said so: nothing but its owner resumes it. */
function isGone({ status, probeAt }: EndpointHealth): boolean {
  return status === "paused" && probeAt === null;
}

/** It is the latest reason that its owner can do something about. */
function failingFor(health: EndpointHealth, reason: string): EndpointHealth {
  const latest = health.status === "paused" ? pausedFor(reason) : reason;
  return latest === health.reason ? health : { ...health, reason: latest };
}

function pausedFor(reason: string | null): string {
  return `no delivery has succeeded for five days: ${reason}`;
}

/** What time alone has made of it: pure failure for five days pauses it. */
export function healthAt(health: EndpointHealth, now: Instant): EndpointHealth {
  const lapsesAt = pausesAt(health);
  if (lapsesAt === undefined || now < lapsesAt) return health;
  const reason = pausedFor(health.reason);
  return { ...health, status: "paused", since: lapsesAt, reason, probeAt: lapsesAt + PROBE_INTERVAL };
}

/** When time alone pauses it; undefined: not as things stand. */
export function pausesAt({ status, failingSince }: EndpointHealth): Instant | undefined {
  return status === "failing" && failingSince !== null ? failingSince + FAILING_LIMIT : undefined;
}

/** Whether a paused endpoint is to be tried now. */
export function isProbeDue({ status, probeAt }: EndpointHealth, now: Instant): boolean {
  return status === "paused" && probeAt !== null && now >= probeAt;
}

/** After a probe that failed: the next is due an hour after it was made. Until then it is due still. */
export function afterFailedProbe(health: EndpointHealth, madeAt: Instant): EndpointHealth {
  return health.status === "paused" && health.probeAt !== null
    ? { ...health, probeAt: madeAt + PROBE_INTERVAL }
    : health;
}

/** Its owner says that it works again. */
export function afterResume(health: EndpointHealth, at: Instant): EndpointHealth {
  return health.status === "active" ? health : recovered(health, at, true);
}

/** Whether more may be due after this restart than was due anyway: waits are over, or something is owed again. */
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

/** The lane as the endpoint's health makes it: what was exhausted comes first again, and waiting is over. */
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

/** A pause is as good as the end of the failure: what is owed is known then, and only the sending waits. */
function recoveries({ status, failingSince, restarts }: EndpointHealth): readonly EndpointRecovery[] {
  if (status !== "paused") return restarts;
  return [...restarts, { since: failingSince ?? 0, at: Number.MAX_SAFE_INTEGER, resumed: true }];
}

/**
 * After a pause everything exhausted since the failure began; else, once, what never had a chance to succeed because
 * nothing did. An event that its receiver refuses while it takes others stays exhausted. What counts is the first end
 * of a failure after it was exhausted, however long ago that is: it may be the first look at the lane since.
 */
function isRequeued({ exhaustedAt, firstAt, again }: ExhaustedDelivery, ends: readonly EndpointRecovery[]): boolean {
  const end = ends.find(({ at }) => exhaustedAt <= at);
  if (end === undefined || exhaustedAt < end.since) return false;
  return end.resumed || (firstAt >= end.since && again !== true);
}
