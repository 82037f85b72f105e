import type { Counts } from "./counts.ts";
import { runProgram } from "./run-program.ts";

/** turbo works offline and tells nobody. */
const ALONE = { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", TURBO_NO_UPDATE_NOTIFIER: "1" };

/** Runs one task of the task graph, unless nothing it looks at has changed since it last passed. */
export async function runCheck(task: string): Promise<Counts> {
  const passed = await runProgram("turbo/bin/turbo", {
    line: ["run", task, "--output-logs=errors-only", "--log-prefix=none"],
    env: ALONE,
  });
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
