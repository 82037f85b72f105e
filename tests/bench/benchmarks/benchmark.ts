import type { Bench } from "../bench.ts";
import type { GoalName } from "../report/goals.ts";
import type { Measurement } from "../report/measurement.ts";

/** Measures some of the goals; `wanted` names those that were asked for, at least one of its own. */
export interface Benchmark {
  readonly goals: readonly GoalName[];
  measure(bench: Bench, wanted: ReadonlySet<GoalName>): Promise<readonly Measurement[]>;
}
