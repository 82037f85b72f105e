import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { attacksTable } from "./attacks/attacks-table.ts";
import { measureAttacks } from "./attacks/measure-attacks.ts";
import { type Bench, withCleanUps } from "./bench.ts";
import { append } from "./benchmarks/append.ts";
import type { Benchmark } from "./benchmarks/benchmark.ts";
import { cancelledFlight } from "./benchmarks/cancelled-flight.ts";
import { hotFlight } from "./benchmarks/hot-flight.ts";
import { leastFigures, measureCosts } from "./cost/measure-costs.ts";
import { ratiosReport } from "./cost/ratios-report.ts";
import { costTable } from "./cost/table.ts";
import { InvalidOption, type Options, readOptions, USAGE } from "./options.ts";
import { GOAL_NAMES } from "./report/goals.ts";
import { machineInfo } from "./report/machine-info.ts";
import type { Measurement } from "./report/measurement.ts";
import { markdownTable, textTable } from "./report/table.ts";

const BENCHMARKS: readonly Benchmark[] = [hotFlight, append, cancelledFlight];

/** Gives the work what it needs, and cleans up after it. */
function withBench<Result>(options: Options, work: (bench: Bench) => Promise<Result>): Promise<Result> {
  return withCleanUps((atEnd) => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
    atEnd(() => fs.rmSync(root, { recursive: true }));
    const folder = () => fs.mkdtempSync(path.join(root, "data-"));
    return work({ options, folder, say: (text) => console.error(text), atEnd });
  });
}

async function measureGoals(bench: Bench): Promise<readonly Measurement[]> {
  const { only } = bench.options;
  const measurements: Measurement[] = [];
  for (const part of BENCHMARKS) {
    if (part.goals.some((goal) => only.has(goal))) measurements.push(...(await part.measure(bench, only)));
  }
  const place = ({ goal }: Measurement) => GOAL_NAMES.indexOf(goal);
  return measurements.sort((one, other) => place(one) - place(other));
}

function report(facts: readonly string[], table: string, { markdown }: Options): void {
  console.log([...facts, "", table].join("\n"));
  if (markdown !== undefined) fs.writeFileSync(markdown, `${table}\n`);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const facts = machineInfo();
  const { cost } = options;
  if (cost !== undefined) {
    const rows = await withBench(options, (bench) => measureCosts(bench, cost));
    const store = `bookings in the store: ${options.bookings}`;
    if (options.against === undefined) return report([...facts, store], costTable(rows.flatMap(leastFigures)), options);
    const conduct = `${options.rounds} rounds, this code and that of ${options.against} in turn`;
    return report([...facts, store, conduct], ratiosReport(rows), options);
  }
  if (options.attacks) {
    const table = attacksTable(await withBench(options, measureAttacks));
    return report([...facts, `${options.seconds} s each, during the attack (and before it)`], table, options);
  }
  const measurements = await withBench(options, measureGoals);
  const conduct = `${options.rounds} rounds of ${options.seconds} s each, reference and service in turn`;
  console.log([...facts, conduct, "", textTable(measurements)].join("\n"));
  if (options.markdown !== undefined) {
    const text = [...facts, conduct].map((fact) => `- ${fact}`).join("\n");
    fs.writeFileSync(options.markdown, `${text}\n\n${markdownTable(measurements)}\n`);
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof InvalidOption ? `${error.message}\n${USAGE}` : error);
  process.exitCode = error instanceof InvalidOption ? 2 : 1;
});
