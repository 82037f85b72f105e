import path from "node:path";
import { expect, test } from "@jest/globals";
import { titleOfSkipped } from "../../engines/title-of-skipped.ts";
import { countsOf, ROOT } from "../jest.ts";
import { engineLine, skippedLines, slowestLines } from "../report.ts";
import Sequencer from "../sequencer.ts";

const summary = (numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number) => ({
  numPassedTests,
  numFailedTests,
  numRuntimeErrorTestSuites,
});

test.each([
  ["all passed", summary(7, 0, 0), true, { passed: 7, failed: 0 }],
  ["some failed", summary(5, 2, 0), false, { passed: 5, failed: 2 }],
  ["a file could not be run", summary(5, 0, 1), false, { passed: 5, failed: 1 }],
  ["a failure that no test shows", summary(5, 0, 0), false, { passed: 5, failed: 1 }],
  ["no summary at all", undefined, false, { passed: 0, failed: 1 }],
])("counts where %s", (_, jestSummary, succeeded, counts) => {
  expect(countsOf(jestSummary, succeeded)).toStrictEqual(counts);
});

const file = (name: string, assertionResults: { status: string; ancestorTitles: string[] }[] = [], ms = 0) => ({
  name: path.join(ROOT, name),
  startTime: 1_000,
  endTime: 1_000 + ms,
  assertionResults,
});
const result = (status: string, ...ancestorTitles: string[]) => ({ status, ancestorTitles });

test("everything that did not run is listed by suite and reason, with its cases counted", () => {
  const jobs = titleOfSkipped("jobs", "redis: nobody has one");
  const files = [
    file("packages/jobs/test/jobs.test.ts", [
      result("passed", "order"),
      result("pending", "queue", jobs),
      result("pending", "queue", jobs, "retries"),
      result("failed"),
    ]),
    file("tests/a.test.ts", [result("pending", "on Mondays"), result("todo")]),
    file("tests/b.test.ts", [result("pending", "queue", jobs)]),
  ];
  expect(skippedLines(files)).toStrictEqual([
    "skipped: queue › jobs (3 cases) — redis: nobody has one",
    "skipped: tests/a.test.ts (2 cases) — not selected, or switched off in its source",
  ]);
});

test("a run without gaps lists nothing", () => {
  expect(skippedLines([file("a.test.ts", [result("passed"), result("failed")])])).toStrictEqual([]);
});

test("the slowest files, the slowest first", () => {
  const files = [file("a.test.ts", [], 900), file("b.test.ts", [], 61_200), file("c.test.ts", [], 5_000)];
  expect(slowestLines(files, 2)).toStrictEqual(["  61.2 s  b.test.ts", "   5.0 s  c.test.ts"]);
});

test.each([
  [{ provider: "redis-server", missingReason: undefined, failed: [] }, "engine redis: redis-server"],
  [
    {
      provider: "redis-server",
      missingReason: undefined,
      failed: [{ way: "container redis", reason: "no such image" }],
    },
    "engine redis: redis-server; container redis failed: no such image",
  ],
  [{ provider: undefined, missingReason: "redis: not installed", failed: [] }, "engine redis: none — not installed"],
])("an engine in one line", (tried, line) => {
  expect(engineLine({ engine: "redis", ...tried })).toBe(line);
});

test("files that start processes run first, the larger before the smaller", () => {
  const [own, unit] = [import.meta.filename, path.join(ROOT, "jest.config.js")].map((path) => ({
    path,
  }));
  expect(new Sequencer().sort([unit!, own!])).toStrictEqual([own, unit]);
});
