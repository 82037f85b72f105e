import path from "node:path";
import { expect, test } from "@jest/globals";
import { titleOfSkipped } from "../../engines/title-of-skipped.ts";
import { engineLine, skippedProfile } from "../engines.ts";
import { ROOT } from "../run-program.ts";
import { skippedLine, skippedOf } from "../skipped.ts";

const result = (status: string, ...ancestorTitles: string[]) => ({ status, ancestorTitles });

test("everything that did not run is told by suite and reason, with its cases counted", () => {
  const jobs = titleOfSkipped("jobs", "redis: nobody has one");
  const files = [
    {
      name: path.join(ROOT, "packages/jobs/test/jobs.test.ts"),
      assertionResults: [
        result("passed", "order"),
        result("pending", "queue", jobs),
        result("pending", "queue", jobs, "retries"),
        result("failed"),
      ],
    },
    { name: path.join(ROOT, "tests/a.test.ts"), assertionResults: [result("pending", "on Mondays"), result("todo")] },
    { name: path.join(ROOT, "tests/b.test.ts"), assertionResults: [result("pending", "queue", jobs)] },
  ];
  expect(skippedOf(files).map(skippedLine)).toStrictEqual([
    "skipped: queue › jobs (3 cases) — redis: nobody has one",
    "skipped: tests/a.test.ts (2 cases) — not selected, or switched off in its source",
  ]);
});

test("a run without gaps has nothing to tell", () => {
  expect(skippedOf([{ name: "a.test.ts", assertionResults: [result("passed"), result("failed")] }])).toStrictEqual([]);
});

test("a profile whose engines are missing is told without a count", () => {
  expect(skippedProfile("redis: nobody has one").map(skippedLine)).toStrictEqual([
    "skipped: tests/end-to-end on the distributed profile — redis: nobody has one",
  ]);
  expect(skippedProfile(undefined)).toStrictEqual([]);
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
])("an engine is told in one line", (tried, line) => {
  expect(engineLine({ engine: "redis", ...tried })).toBe(line);
});
