import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PROGRAM = path.join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
const RULES = path.join(ROOT, ".dependency-cruiser.cjs");
const MAX_REPORT = 256 * 1024 * 1024;

interface Report {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

export interface Findings {
  /** How many modules were looked at. */
  readonly modules: number;
  /** `rule: from -> to`, sorted. */
  readonly violations: readonly string[];
}

/** Holds these folders of a tree against the project's dependency rules. */
export async function cruise(tree: string, folders: readonly string[]): Promise<Findings> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PROGRAM, "--config", RULES, "--output-type", "json", ...folders],
    { cwd: tree, maxBuffer: MAX_REPORT },
  ).catch((failure: unknown) => {
    // The exit code counts the violations; the report is complete all the same.
    if (failure instanceof Error && "stdout" in failure && failure.stdout !== "")
      return { stdout: String(failure.stdout) };
    throw failure;
  });
  const { summary }: Report = JSON.parse(stdout);
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort(),
  };
}
