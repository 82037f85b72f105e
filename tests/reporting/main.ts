import { distributedMissingReason } from "../engines/run/distributed.ts";
import { prepareEngines } from "../engines/run/prepare.ts";
import { countsLine, total } from "./counts.ts";
import { engineLine, skippedProfile } from "./engines.ts";
import { allGroups } from "./groups.ts";
import { runCheck } from "./run-check.ts";
import { runJest } from "./run-jest.ts";
import { type Skipped, skippedLine } from "./skipped.ts";

/** Tasks of the task graph that count as one test each. */
const CHECKS = ["typecheck", "lint"];

const chosen = process.argv.slice(2);
const groups = chosen.length > 0 ? [{ title: "what was chosen", line: chosen }] : allGroups();

const counts = [];
const skipped: Skipped[] = skippedProfile(distributedMissingReason()).slice();
for (const check of CHECKS) counts.push(await runCheck(check));

console.log("engines are built and tried (the first time that takes minutes)");
for (const tried of await prepareEngines()) console.log(engineLine(tried));

for (const { title, line } of groups) {
  console.log(`\n${title}`);
  const run = await runJest(line);
  counts.push(run.counts);
  skipped.push(...run.skipped);
}

for (const each of skipped) console.log(skippedLine(each));
const sum = total(counts);
process.exitCode = sum.failed === 0 ? 0 : 1;
console.log(countsLine(sum));
