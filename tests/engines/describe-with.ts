import { afterAll, beforeAll, describe } from "@jest/globals";
import { isUnavailable, type Unavailable } from "./engine.ts";
import { lazyEngine, type Startable } from "./lazy-engine.ts";
import { missingReason } from "./missing-reason.ts";
import type { AvailabilityCheck } from "./providers/engine-starter.ts";
import { titleOfSkipped } from "./title-of-skipped.ts";

/** A build included, where none was made before the run. */
const STARTED_WITHIN_MS = 11 * 60_000;
const STOPPED_WITHIN_MS = 60_000;

type Start = (() => Promise<Startable | Unavailable>) & Partial<AvailabilityCheck>;
type Starts = Readonly<Record<string, Start>>;

/** What these start, by the same names. */
export type Started<S extends Starts> = {
  readonly [Name in keyof S]: Exclude<Awaited<ReturnType<S[Name]>>, Unavailable>;
};

/**
 * A describe whose engines are started before all of its cases and stopped after them:
 *
 *     describeWith({ redis: startRedis, mongo: startMongo.with({ killable: true }) }, "jobs", ({ redis, mongo }) => {
 *       test("…", () => { … redis.url … });
 *     });
 *
 * The engines can be used in hooks and cases. Where one is unavailable, all cases are skipped, and the end of the run
 * tells the reason; one that is there and does not start makes them fail.
 */
export function describeWith<S extends Starts>(starts: S, title: string, cases: (engines: Started<S>) => void): void {
  const started = new Map<string, Startable>();
  const engines = Object.fromEntries(
    Object.keys(starts).map((name) => [name, lazyEngine(name, started)]),
  ) as Started<S>;
  const reason = missingReason(starts);
  if (reason !== undefined) {
    describe.skip(titleOfSkipped(title, reason), () => cases(engines));
    return;
  }
  describe(title, () => {
    beforeAll(() => startAll(starts, started), STARTED_WITHIN_MS);
    afterAll(() => stopAll(started), STOPPED_WITHIN_MS);
    cases(engines);
  });
}

async function startAll(starts: Starts, started: Map<string, Startable>): Promise<void> {
  const attempts = Object.entries(starts).map(async ([name, start]) => {
    const engine = await start();
    if (isUnavailable(engine)) throw new Error(engine.unavailable);
    started.set(name, engine);
  });
  // All of them have come to an end before any is stopped.
  throwFailures(await Promise.allSettled(attempts));
}

async function stopAll(started: Map<string, Startable>): Promise<void> {
  const engines = [...started.values()];
  started.clear();
  throwFailures(await Promise.allSettled(engines.map((engine) => engine.stop())));
}

function throwFailures(results: readonly PromiseSettledResult<unknown>[]): void {
  const failures = results.filter((result) => result.status === "rejected").map(({ reason }) => reason);
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join("\n"));
  if (failures.length === 1) throw failures[0];
}
