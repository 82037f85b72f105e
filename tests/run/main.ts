import { Service } from "../support/service.ts";
import { runJest, runProgram } from "./jest.ts";
import { jestArguments } from "./jest-arguments.ts";
import { engineLine, skippedLines, slowestLines } from "./report.ts";

const { all, args } = jestArguments(process.argv.slice(2), process.env);

const projects = ["everyday"];
const skipped: string[] = [];

const [checked] = await Promise.all([check(), fillCompileCache()]);

if (all) {
  console.log("building and trying the engines (minutes, the first time)");
  const { distributedMissingReason, prepareEngines } = await import("../engines/run/prepare.ts");
  for (const tried of await prepareEngines()) console.log(engineLine(tried));
  projects.push("rest");
  const missing = distributedMissingReason();
  if (missing === undefined) projects.push("distributed");
  else skipped.push(`skipped: tests/end-to-end/everywhere on the distributed profile — ${missing}`);
}

const run = await runJest([...args, "--selectProjects", ...projects]);

for (const line of [...skipped, ...skippedLines(run.files)]) console.log(line);
console.log("\nthe slowest files");
for (const line of slowestLines(run.files)) console.log(line);

const failed = run.failed + (checked ? 0 : 1);
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${run.passed + (checked ? 1 : 0)} passed, ${failed} failed`);

/** Types and lint, which count as one test. Turbo works offline and sends no telemetry. */
function check(): Promise<boolean> {
  return runProgram(
    "node",
    ["node_modules/turbo/bin/turbo", "run", "typecheck", "lint", "--filter=//", "--output-logs=errors-only"],
    { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
  );
}

/** One start and one clean stop, from which all later starts are faster. That a start works is for the tests to say. */
async function fillCompileCache(): Promise<void> {
  const service = Service.spawn();
  await service.ready().catch(() => undefined);
  await service.stop();
  await service.discard();
}
