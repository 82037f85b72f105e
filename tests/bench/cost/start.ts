import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Service } from "../service/service.ts";
import { cpuOfEndedChildren, cpuSeconds } from "./process-figures.ts";
import { least, type Row } from "./row.ts";
import type { Side } from "./side.ts";

/** As `npm start` has it: what is compiled is only kept where the service keeps it itself. */
const AS_STARTED_BY_HAND = { DEMO: "true", NODE_COMPILE_CACHE: "" };

interface Took {
  readonly seconds: number;
  readonly cpu: number;
}

type Round = Readonly<Record<"start" | "start-full" | "help", Took>>;

/** From the start of a process to its being ready, and of the command line to its end. */
export async function start({ bench, store }: Side): Promise<Row> {
  const folder = store.copy();
  bench.atEnd(() => store.discard(folder));
  const onceEach = async (): Promise<Round> => ({
    start: await startOnce(bench.folder(), store.checkout),
    "start-full": await startOnce(folder, store.checkout),
    help: helpOnce(store.checkout),
  });
  // The first one fills what caches there are.
  await onceEach();
  return {
    async measure(round): Promise<Round> {
      const took = await onceEach();
      const each = Object.entries(took).map(([what, { seconds, cpu }]) => {
        return `${what} ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU`;
      });
      bench.say(`round ${round}: ${each.join("; ")}`);
      return took;
    },
    figures: (rounds: readonly Round[]) =>
      (["start", "start-full", "help"] as const).map((goal) => {
        const took = rounds.map((round) => round[goal]);
        return { goal, value: least(took, "seconds"), detail: `${least(took, "cpu").toFixed(2)} s of CPU` };
      }),
  };
}

async function startOnce(folder: string, checkout: string): Promise<Took> {
  const service = await Service.start(folder, AS_STARTED_BY_HAND, checkout);
  const cpu = cpuSeconds(service.pid);
  await service.stop();
  return { seconds: service.millisecondsToReady / 1_000, cpu };
}

function helpOnce(checkout: string): Took {
  const env = { ...process.env, ...AS_STARTED_BY_HAND };
  const commandLine = join(checkout, "packages/operator/start.js");
  const cpuBefore = cpuOfEndedChildren();
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, [commandLine, "--help"], { env });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (status !== 0) throw new Error(`--help ended with ${status}`);
  return { seconds, cpu: cpuOfEndedChildren() - cpuBefore };
}
