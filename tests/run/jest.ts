import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** The root folder of the workspace. */
export const ROOT = path.resolve(import.meta.dirname, "../..");

/** What Jest reports of a file, as far as it is needed here. */
export interface JestFile {
  /** Its path. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly ancestorTitles: readonly string[];
  }[];
}

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  /** Files that could not be run at all: none of their tests is counted above. */
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly JestFile[];
}

/** Runs Jest with these arguments. */
export async function runJest(args: readonly string[]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "jest-report-"));
  const file = path.join(folder, "report.json");
  try {
    const succeeded = await runProgram("node", [
      "--experimental-vm-modules",
      "--disable-warning=ExperimentalWarning",
      path.join(ROOT, "node_modules/jest/bin/jest.js"),
      "--json",
      `--outputFile=${file}`,
      ...args,
    ]);
    const report: JestReport | undefined = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : undefined;
    return { ...countsOf(report, succeeded), files: report?.testResults ?? [] };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** A run that failed though no test did (a bad configuration, no test found) counts as one failure. */
export function countsOf(report: Omit<JestReport, "testResults"> | undefined, succeeded: boolean) {
  const passed = report?.numPassedTests ?? 0;
  const failed = (report?.numFailedTests ?? 0) + (report?.numRuntimeErrorTestSuites ?? 0);
  return { passed, failed: succeeded || failed > 0 ? failed : 1 };
}

/** Runs a program in the root folder, with our output. True when it succeeded. */
export async function runProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(program === "node" ? process.execPath : program, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, "exit");
  return code === 0;
}
