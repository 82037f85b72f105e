import { countsLine, total } from "./counts.ts";
import { runCheck } from "./run-check.ts";
import { runJest } from "./run-jest.ts";

/** Tasks of the task graph that count as one test each. */
const CHECKS = ["typecheck", "lint"];

const counts = [];
for (const check of CHECKS) counts.push(await runCheck(check));
counts.push(await runJest(process.argv.slice(2)));

const sum = total(counts);
process.exitCode = sum.failed === 0 ? 0 : 1;
console.log(countsLine(sum));
