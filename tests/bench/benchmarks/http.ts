import type { Bench } from "../bench.ts";
import type { GoalName } from "../report/goals.ts";
import type { Measurement } from "../report/measurement.ts";
import type { Benchmark } from "./benchmark.ts";
import { measureCommands } from "./commands.ts";
import { measureHotFlight } from "./hot-flight.ts";
import { HttpBench } from "./http-bench.ts";
import { measureReads } from "./reads.ts";
import { measureTailLatency } from "./tail-latency.ts";
import { measureVisibility } from "./visibility.ts";

const MEASURES: readonly (readonly [GoalName, (http: HttpBench, bench: Bench) => Promise<readonly Measurement[]>])[] = [
  ["P1", measureCommands],
  ["P2", measureHotFlight],
  ["P6", measureReads],
  ["P9", measureTailLatency],
  ["P10", measureVisibility],
];

/** Everything that is asked over HTTP, of one service that runs all the while. */
export const http: Benchmark = {
  goals: MEASURES.map(([goal]) => goal),
  async measure(bench, wanted) {
    const httpBench = await HttpBench.start(bench);
    const measurements: Measurement[] = [];
    for (const [goal, measure] of MEASURES) {
      if (wanted.has(goal)) measurements.push(...(await measure(httpBench, bench)));
    }
    return measurements;
  },
};
