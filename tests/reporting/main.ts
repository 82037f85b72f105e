import { distributedMissing } from "../engines/run/distributed.ts";
import { prepareEngines } from "../engines/run/prepare.ts";
import { countsLine, total } from "./counts.ts";
import { engineLine, skippedProfile } from "./engines.ts";
import { runCheck } from "./run-check.ts";
import { runJest } from "./run-jest.ts";
import { skippedLine } from "./skipped.ts";

/** Tasks of the task graph that count as one test each. */
const CHECKS = ["typecheck", "lint"];

const counts = [];
for (const check of CHECKS) counts.push(await runCheck(check));

console.log("engines are built and tried (the first time that takes minutes)");
for (const tried of await prepareEngines()) console.log(engineLine(tried));

const run = await runJest(process.argv.slice(2));
counts.push(run.counts);

for (const skipped of [...skippedProfile(distributedMissing()), ...run.skipped]) console.log(skippedLine(skipped));
const sum = total(counts);
process.exitCode = sum.failed === 0 ? 0 : 1;
console.log(countsLine(sum));
