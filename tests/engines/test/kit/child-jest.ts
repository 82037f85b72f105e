import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { fieldOf } from "../../processes/field-of.ts";

const JEST = path.resolve(import.meta.dirname, "../../../../node_modules/jest/bin/jest.js");

/** What the child's report says, as far as it is needed here. */
export interface ChildReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title: string;
      readonly ancestorTitles: readonly string[];
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs another Jest in this folder, with this configuration. */
export async function childJest(
  rootDir: string,
  config: object,
  env: NodeJS.ProcessEnv = {},
): Promise<ChildReport["testResults"]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "child-jest-"));
  const report = path.join(folder, "report.json");
  const line = [JEST, "--json", `--outputFile=${report}`, "--config", JSON.stringify({ rootDir, ...config })];
  try {
    await promisify(execFile)(process.execPath, ["--experimental-vm-modules", ...line], {
      cwd: rootDir,
      env: { ...process.env, NODE_OPTIONS: "", ...env },
    }).catch((failure: unknown) => {
      // A run in which something failed ends badly, and has its report all the same.
      if (!fs.existsSync(report)) throw new Error(String(fieldOf(failure, "stderr")));
    });
    const { testResults }: ChildReport = JSON.parse(fs.readFileSync(report, "utf8"));
    return testResults;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
