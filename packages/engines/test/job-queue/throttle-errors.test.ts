import { expect, test } from "@jest/globals";
import { throttleErrors } from "../../src/job-queue/bullmq/bullmq-job-worker.ts";

test("of one kind, one; of thousands of kinds, each, with no memory of all of them", () => {
  const told: string[] = [];
  const tell = throttleErrors(({ message }) => told.push(message));
  for (let time = 0; time < 5; time += 1) for (const kind of ["a", "b"]) tell(new Error(kind));
  expect(told).toStrictEqual(["a", "b"]);
  for (let kind = 0; kind < 1_000; kind += 1) tell(new Error(`kind ${kind}`));
  expect(told.length).toBe(1_002);
});
