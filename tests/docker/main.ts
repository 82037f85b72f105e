import { runJest } from "../run/jest.ts";
import { skippedLines } from "../run/report.ts";

/* The tests of this folder, one after another: `npm run test:docker`. */
const run = await runJest(["--selectProjects", "docker", "--maxWorkers=1"]);
for (const line of skippedLines(run.files)) console.log(line);
process.exitCode = run.failed === 0 ? 0 : 1;
console.log(`${run.passed} passed, ${run.failed} failed`);
