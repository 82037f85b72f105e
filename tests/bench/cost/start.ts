import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Service } from "../service/service.ts";
import type { CostBench } from "./cost-bench.ts";
import type { CostFigure } from "./goals.ts";
import { cpuOfEndedChildren, cpuSeconds } from "./process-figures.ts";

const COMMAND_LINE = fileURLToPath(new URL("../../../packages/operator/start.js", import.meta.url));
/** As `npm start` has it: what is compiled is only kept where the service keeps it itself. */
const AS_STARTED_BY_HAND = { DEMO: "true", NODE_COMPILE_CACHE: "" };

interface Took {
  readonly seconds: number;
  readonly cpu: number;
}

/** From the start of a process to its being ready, and of the command line to its end. The least of all rounds. */
export async function start(cost: CostBench): Promise<readonly CostFigure[]> {
  const { bench, store } = cost;
  const folder = store.copy();
  const rounds = async (what: string, once: () => Promise<Took>): Promise<Took> => {
    const all = [];
    for (let round = 0; round <= bench.options.rounds; round += 1) {
      const took = await once();
      bench.say(`${what}: ${took.seconds.toFixed(2)} s, ${took.cpu.toFixed(2)} s of CPU`);
      // The first one fills what caches there are.
      if (round > 0) all.push(took);
    }
    return { seconds: Math.min(...all.map(({ seconds }) => seconds)), cpu: Math.min(...all.map(({ cpu }) => cpu)) };
  };
  const empty = await rounds("start on an empty folder", () => startOnce(bench.folder()));
  const full = await rounds("start on the store", () => startOnce(folder));
  const help = await rounds("--help", async () => helpOnce());
  store.discard(folder);
  return [
    { goal: "start", value: empty.seconds, detail: `${empty.cpu.toFixed(2)} s of CPU` },
    { goal: "start-full", value: full.seconds, detail: `${full.cpu.toFixed(2)} s of CPU` },
    { goal: "help", value: help.seconds, detail: `${help.cpu.toFixed(2)} s of CPU` },
  ];
}

async function startOnce(folder: string): Promise<Took> {
  const service = await Service.start(folder, AS_STARTED_BY_HAND);
  const cpu = cpuSeconds(service.pid);
  await service.stop();
  return { seconds: service.millisecondsToReady / 1_000, cpu };
}

function helpOnce(): Took {
  const env = { ...process.env, ...AS_STARTED_BY_HAND };
  const cpuBefore = cpuOfEndedChildren();
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, [COMMAND_LINE, "--help"], { env });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (status !== 0) throw new Error(`--help ended with ${status}`);
  return { seconds, cpu: cpuOfEndedChildren() - cpuBefore };
}
