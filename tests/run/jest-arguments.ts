import os from "node:os";

/** Options of Jest that say how many workers there are. */
const WORKERS = /^(?:--maxWorkers|-w|--runInBand|-i)(?:=|$)/;

/**
 * What Jest is given: everything but `--all`, which is for the run. Where nothing says how many workers there are, one a core;
 * one alone on an event store that others use, as suites there ask for the head of its one log.
 */
export function jestArguments(given: readonly string[], env: NodeJS.ProcessEnv) {
  const args = given.filter((argument) => argument !== "--all" && argument !== "--");
  const workers = env.TEST_EVENT_STORE_URL === undefined ? os.availableParallelism() : 1;
  const isSaid = args.some((argument) => WORKERS.test(argument));
  return { all: given.includes("--all"), args: isSaid ? args : [`--maxWorkers=${workers}`, ...args] };
}
