import { AnotherLog } from "@travel-booking/engines/event-store";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import type { ProjectorOptions } from "./projector.ts";

type OnProblem = ProjectorOptions["onProblem"];

/** Real milliseconds without a failure, after which the next failure is a new outage. Far longer than a retry takes. */
const QUIET_MS = 60_000;

/**
 * Reports the first failure of each outage and projection, and not every retry. Failures differ by their message, but
 * all failures of an engine out of reach count as one kind.
 */
export function oncePerOutage(onProblem: OnProblem, now = () => performance.now()): OnProblem {
  const failedAt = new Map<string, number>();
  return (problem) => {
    const { projection, error } = problem;
    for (const [failure, at] of failedAt) if (now() - at >= QUIET_MS) failedAt.delete(failure);
    // `AnotherLog` is reported only once by its source, and may come again soon.
    if (error instanceof AnotherLog) return onProblem(problem);
    const failure = `${projection} ${error instanceof EngineUnavailable ? "" : error}`;
    const isKnown = failedAt.has(failure);
    failedAt.set(failure, now());
    if (!isKnown) onProblem(problem);
  };
}
