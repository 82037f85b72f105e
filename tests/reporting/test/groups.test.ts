import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { allGroups } from "../groups.ts";
import { ROOT } from "../run-program.ts";

/** Every test file of the workspace. */
function testFiles(): string[] {
  return fs
    .globSync("**/*.test.ts", { cwd: ROOT, exclude: (name) => path.basename(name) === "node_modules" })
    .map((file) => path.join(ROOT, file));
}

const patternOf = (line: readonly string[]) => new RegExp(line[line.indexOf("--testPathPatterns") + 1] ?? "", "i");

test("every file is in one group, and in one only", () => {
  const files = testFiles();
  expect(files).toContain(import.meta.filename);
  const patterns = allGroups().map(({ line }) => patternOf(line));
  for (const file of files)
    expect([file, patterns.filter((pattern) => pattern.test(file)).length]).toStrictEqual([file, 1]);
});

test("no group is empty", () => {
  const files = testFiles();
  const empty = allGroups().filter(({ line }) => !files.some((file) => patternOf(line).test(file)));
  expect(empty).toStrictEqual([]);
});
