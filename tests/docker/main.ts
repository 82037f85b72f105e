import { dockerMissingReason } from "../engines/providers/docker.ts";
import { runJest } from "../run/jest.ts";
import { skippedLines } from "../run/report.ts";

/* What needs a Docker engine, one after another: `npm run test:docker`. */
const run = await runJest(["--selectProjects", "docker", "--maxWorkers=1"]);
for (const line of skippedLines(run.files)) console.log(line);
// Where an engine answers, these start Redis by Testcontainers, and kill it.
const missing = process.env.TEST_DOCKER_MISSING ?? dockerMissingReason();
const redis = ["--selectProjects", "rest", "--maxWorkers=1", "tests/engine-contracts/redis"];
const inContainers = missing === undefined ? await runJest(redis) : { passed: 0, failed: 0 };
const failed = run.failed + inContainers.failed;
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${run.passed + inContainers.passed} passed, ${failed} failed`);
