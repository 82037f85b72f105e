import { type Bench, interleave } from "../bench.ts";
import { runOnce } from "../children/child.ts";
import type { GoalName } from "../report/goals.ts";
import type { Measurement } from "../report/measurement.ts";
import type { ReplayTask, SeedTask, TaskResult } from "../store/tasks.ts";
import type { Benchmark } from "./benchmark.ts";

const script = (path: string) => new URL(`../${path}`, import.meta.url);

const SCRIPTS = {
  P4: { what: "replay", url: script("store/replay-event-log.ts") },
  P5: { what: "rebuild", url: script("store/rebuild-bookings.ts") },
} as const;

async function seed(bench: Bench, url: URL): Promise<{ folder: string; events: number }> {
  const folder = bench.folder();
  const { events, seconds } = await runOnce<SeedTask, TaskResult>(url, { folder, events: bench.options.events });
  bench.say(`${events} events stored in ${seconds.toFixed(1)} s`);
  return { folder, events };
}

/** P4 and P5, over the same events. */
export const replay: Benchmark = {
  goals: ["P4", "P5"],
  async measure(bench, wanted) {
    const log = await seed(bench, script("store/seed-event-log.ts"));
    const records = await seed(bench, script("references/seed-records.ts"));
    const run =
      (url: URL, { folder, events }: typeof log) =>
      async (): Promise<number> => {
        const result = await runOnce<ReplayTask, TaskResult>(url, { folder, events, target: bench.folder() });
        if (result.events !== events) throw new Error(`${result.events} events came back of ${events}`);
        return result.events / result.seconds;
      };
    const measurements: Measurement[] = [];
    for (const goal of ["P4", "P5"] as const satisfies readonly GoalName[]) {
      if (!wanted.has(goal)) continue;
      const { what, url } = SCRIPTS[goal];
      const reference = run(script("references/replay-records.ts"), records);
      const rounds = await interleave(bench, what, { reference, measured: run(url, log) });
      measurements.push({ goal, subject: "", unit: "events/s", rounds });
    }
    return measurements;
  },
};
