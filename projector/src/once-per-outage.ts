import { AnotherLog } from "@travel-booking/engines/event-store";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import type { ProjectorOptions } from "./projector.ts";

type OnProblem = ProjectorOptions["onProblem"];

/** Real milliseconds without a failure after which the next one is another outage: far more than between two retries. */
const QUIET_MS = 60_000;

/**
 * Reports the first failure of each outage and projection, and not every retry. An engine out of reach is one kind of
 * failure whatever it says; others differ by their message.
 */
export function oncePerOutage(onProblem: OnProblem, now = () => performance.now()): OnProblem {
  const failedAt = new Map<string, number>();
  return (problem) => {
    const { projection, error } = problem;
    for (const [failure, at] of failedAt) if (now() - at >= QUIET_MS) failedAt.delete(failure);
    // That is told once by itself, and may come again soon.
    if (error instanceof AnotherLog) return onProblem(problem);
    const failure = `${projection} ${error instanceof EngineUnavailable ? "" : error}`;
    const isKnown = failedAt.has(failure);
    failedAt.set(failure, now());
    if (!isKnown) onProblem(problem);
  };
}
