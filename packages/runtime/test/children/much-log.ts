import { createLogger, RecentProblems } from "@travel-booking/runtime";

/** Logs more than may wait, says so, and ends once it has told what is missing. */
class UntilProblem extends RecentProblems {
  override look(): void {
    if (looking) setImmediate(end);
  }
}

let looking = false;
const logger = createLogger({ level: "debug", problems: new UntilProblem() });

function end(): void {
  looking = false;
  logger.info({}, "the end");
  process.exit(0);
}

for (let count = 0; count < 5_000; count += 1) logger.debug({ text: "x".repeat(1_000) }, "much");
looking = true;
process.stdout.write("still here\n");
setInterval(() => undefined, 1_000);
