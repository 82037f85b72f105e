import { expect, test } from "@jest/globals";
import { pauseAfter } from "../../src/job-queue/pauses.ts";

test.each([
  [1, 1_000],
  [2, 2_000],
  [6, 32_000],
  [7, 60_000],
  [1_000_000, 60_000],
])("after %i failures: %i ms", (failures, pause) => {
  expect(pauseAfter(failures, { first: 1_000, longest: 60_000 })).toBe(pause);
});
