import { interleave } from "../bench.ts";
import { runOnce } from "../children/child.ts";
import type { AppendTask, TaskResult } from "../store/tasks.ts";
import type { Benchmark } from "./benchmark.ts";

const IN_FLIGHT = 64;
const REFERENCE = new URL("../references/file-append.ts", import.meta.url);
const APPEND = new URL("../store/append-events.ts", import.meta.url);

/** P3 */
export const append: Benchmark = {
  goals: ["P3"],
  async measure(bench) {
    const run = (script: URL) => async (): Promise<number> => {
      const task = { folder: bench.folder(), seconds: bench.options.seconds, inFlight: IN_FLIGHT };
      const { events, seconds } = await runOnce<AppendTask, TaskResult>(script, task);
      return events / seconds;
    };
    const rounds = await interleave(bench, "append", { reference: run(REFERENCE), measured: run(APPEND) });
    return [{ goal: "P3", subject: "", unit: "events/s", rounds }];
  },
};
