import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Bench } from "./bench.ts";
import { type Options, readOptions, USAGE, WrongOption } from "./options.ts";
import { append } from "./parts/append.ts";
import { deliveries } from "./parts/deliveries.ts";
import { goodReceivers } from "./parts/good-receivers.ts";
import { http } from "./parts/http.ts";
import type { Part } from "./parts/part.ts";
import { replay } from "./parts/replay.ts";
import { startUp } from "./parts/start-up.ts";
import { compareProfiles } from "./profiles/compare-profiles.ts";
import { profilesTable } from "./profiles/profiles-table.ts";
import { GOAL_NAMES } from "./report/goals.ts";
import { machineFacts } from "./report/machine.ts";
import type { Measurement } from "./report/measurement.ts";
import { markdownTable, textTable } from "./report/table.ts";

const PARTS: readonly Part[] = [http, append, replay, deliveries, goodReceivers, startUp];

/** What was measured is printed all the same. */
function reportFailure(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}

/** Gives the work what it needs, and cleans up after it. */
async function benched<Result>(options: Options, work: (bench: Bench) => Promise<Result>): Promise<Result> {
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
  for (const part of PARTS) {
    if (part.goals.some((goal) => only.has(goal))) measurements.push(...(await part.measure(bench, only)));
  }
  const place = ({ goal }: Measurement) => GOAL_NAMES.indexOf(goal);
  return measurements.sort((one, other) => place(one) - place(other));
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const facts = machineFacts();
  if (options.profile === "distributed") {
    const compared = await benched(options, compareProfiles);
    const conduct = `${options.rounds} rounds of ${options.seconds} s each, the two profiles in turn`;
    const table = profilesTable(compared);
    console.log([...facts, conduct, "", table].join("\n"));
    if (options.markdown !== undefined) fs.writeFileSync(options.markdown, `${table}\n`);
    return;
  }
  const measurements = await benched(options, measureGoals);
  const conduct = `${options.rounds} rounds of ${options.seconds} s each, reference and service in turn`;
  console.log([...facts, conduct, "", textTable(measurements)].join("\n"));
  if (options.markdown !== undefined) {
    const text = [...facts, conduct].map((fact) => `- ${fact}`).join("\n");
    fs.writeFileSync(options.markdown, `${text}\n\n${markdownTable(measurements)}\n`);
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof WrongOption ? `${error.message}\n${USAGE}` : error);
  process.exitCode = error instanceof WrongOption ? 2 : 1;
});
