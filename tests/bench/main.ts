import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { attacksTable } from "./attacks/attacks-table.ts";
import { measureAttacks } from "./attacks/measure-attacks.ts";
import type { Bench } from "./bench.ts";
import { append } from "./benchmarks/append.ts";
import type { Benchmark } from "./benchmarks/benchmark.ts";
import { deliveries } from "./benchmarks/deliveries.ts";
import { goodReceivers } from "./benchmarks/good-receivers.ts";
import { hotFlight } from "./benchmarks/hot-flight.ts";
import { CostBench } from "./cost/cost-bench.ts";
import type { CostFigure } from "./cost/goals.ts";
import type { CostRowName } from "./cost/row-names.ts";
import { COST_ROWS } from "./cost/rows.ts";
import { costTable } from "./cost/table.ts";
import { InvalidOption, type Options, readOptions, USAGE } from "./options.ts";
import { compareProfiles } from "./profiles/compare-profiles.ts";
import { profilesTable } from "./profiles/profiles-table.ts";
import { GOAL_NAMES } from "./report/goals.ts";
import { machineInfo } from "./report/machine-info.ts";
import type { Measurement } from "./report/measurement.ts";
import { markdownTable, textTable } from "./report/table.ts";

const BENCHMARKS: readonly Benchmark[] = [hotFlight, append, deliveries, goodReceivers];

/** What was measured is printed all the same. */
function reportFailure(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}

/** Gives the work what it needs, and cleans up after it. */
async function withBench<Result>(options: Options, work: (bench: Bench) => Promise<Result>): Promise<Result> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const cleanUps: (() => Promise<void> | void)[] = [() => fs.rmSync(root, { recursive: true })];
  const bench: Bench = {
    options,
    folder: () => fs.mkdtempSync(path.join(root, "data-")),
    say: (text) => console.error(text),
    atEnd: (cleanUp) => void cleanUps.unshift(cleanUp),
  };
  try {
    return await work(bench);
  } finally {
    for (const cleanUp of cleanUps) await Promise.resolve().then(cleanUp).catch(reportFailure);
  }
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

/** What one row can't measure keeps no other from being measured. */
async function measureCosts(bench: Bench, rows: readonly CostRowName[]): Promise<readonly CostFigure[]> {
  const cost = await CostBench.start(bench);
  const figures: CostFigure[] = [];
  for (const row of rows) {
    try {
      const measured = await COST_ROWS[row](cost);
      for (const { goal, value, detail } of measured) bench.say(`${goal}: ${value.toFixed(2)} (${detail})`);
      figures.push(...measured);
    } catch (error) {
      reportFailure(error);
    }
  }
  return figures;
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
    const table = costTable(await withBench(options, (bench) => measureCosts(bench, cost)));
    return report([...facts, `bookings in the store: ${options.bookings}`], table, options);
  }
  if (options.attacks) {
    const table = attacksTable(await withBench(options, measureAttacks));
    return report([...facts, `${options.seconds} s each, during the attack (and before it)`], table, options);
  }
  if (options.profile === "distributed") {
    const compared = await withBench(options, compareProfiles);
    const conduct = `${options.rounds} rounds of ${options.seconds} s each, the two profiles in turn`;
    return report([...facts, conduct], profilesTable(compared), options);
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
