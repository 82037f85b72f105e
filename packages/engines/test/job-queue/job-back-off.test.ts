import { expect, test } from "@jest/globals";
import { backOffDelay } from "../../src/job-queue/index.ts";

test.each([
  [1, 1_000],
  [2, 2_000],
  [6, 32_000],
  [7, 60_000],
  [1_000_000, 60_000],
])("after %i failures: %i ms", (failures, pause) => {
  expect(backOffDelay(failures, { initialMs: 1_000, maxMs: 60_000 })).toBe(pause);
});
