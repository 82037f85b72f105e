import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ROOT } from "./run-program.ts";

/** Files that are run by one Jest. */
export interface Group {
  readonly title: string;
  /** What Jest is told. */
  readonly line: readonly string[];
}

/**
 * Everything there is to run, in groups. The units run side by side, on every core there is. What starts services and
 * engines has the machine to itself, file by file, and each folder a Jest of its own: one that runs all of them in a row
 * never gives back what it has loaded, and gets slower and slower.
 */
export function allGroups(root = ROOT): readonly Group[] {
  const tests = path.join(root, "tests");
  const folders = fs.readdirSync(tests, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const [folder = ""] = path.relative(tests, entry.parentPath).split(path.sep);
    return entry.name.endsWith(".test.ts") ? [folder] : [];
  });
  const units = {
    title: "units",
    line: [`--maxWorkers=${os.availableParallelism()}`, "--testPathPatterns", `^${RegExp.escape(root)}/(?!tests/)`],
  };
  const inTests = [...new Set(folders)].sort().map((folder) => ({
    title: `tests/${folder}`,
    line: ["--runInBand", "--testPathPatterns", `^${RegExp.escape(path.join(tests, folder))}/`],
  }));
  return [units, ...inTests];
}
