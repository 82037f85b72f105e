import { expect, test } from "@jest/globals";
import { countsLine, total } from "../counts.ts";
import { countsOf } from "../run-jest.ts";

const summary = (numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number) => ({
  numPassedTests,
  numFailedTests,
  numRuntimeErrorTestSuites,
});

test("everything that ran is summed up in one line", () => {
  expect(
    countsLine(
      total([
        { passed: 1, failed: 0 },
        { passed: 40, failed: 2 },
      ]),
    ),
  ).toBe("41 passed, 2 failed");
});

test.each([
  ["all passed", summary(7, 0, 0), true, { passed: 7, failed: 0 }],
  ["some failed", summary(5, 2, 0), false, { passed: 5, failed: 2 }],
  ["a file could not be run", summary(5, 0, 1), false, { passed: 5, failed: 1 }],
  ["a failure that no test shows", summary(5, 0, 0), false, { passed: 5, failed: 1 }],
  ["no summary at all", undefined, false, { passed: 0, failed: 1 }],
])("%s", (_, jestSummary, endedWell, counts) => {
  expect(countsOf(jestSummary, endedWell)).toStrictEqual(counts);
});
