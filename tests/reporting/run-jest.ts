import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Counts } from "./counts.ts";
import { runProgram } from "./run-program.ts";
import { type JestFile, type Skipped, skippedOf } from "./skipped.ts";

interface JestSummary {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  /** Files that could not be run at all: none of their tests is counted above. */
  readonly numRuntimeErrorTestSuites: number;
}

interface JestReport extends JestSummary {
  readonly testResults: readonly JestFile[];
}

/** What Jest reported. A run that failed though no test did (a bad configuration, no test found) counts as one failure. */
export function countsOf(summary: JestSummary | undefined, endedWell: boolean): Counts {
  const passed = summary?.numPassedTests ?? 0;
  const failed = (summary?.numFailedTests ?? 0) + (summary?.numRuntimeErrorTestSuites ?? 0);
  return { passed, failed: endedWell || failed > 0 ? failed : 1 };
}

/** Runs Jest, over everything or as the arguments say. */
export async function runJest(
  line: readonly string[],
): Promise<{ readonly counts: Counts; readonly skipped: readonly Skipped[] }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "jest-summary-"));
  const file = path.join(folder, "summary.json");
  try {
    const endedWell = await runProgram("jest/bin/jest.js", {
      nodeFlags: ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"],
      line: ["--json", `--outputFile=${file}`, ...line],
    });
    const report = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as JestReport) : undefined;
    return { counts: countsOf(report, endedWell), skipped: skippedOf(report?.testResults ?? []) };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
