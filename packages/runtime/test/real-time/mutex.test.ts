import { expect, test } from "@jest/globals";
import { Mutex } from "../../src/real-time/index.ts";

test("one piece of work at a time, in the order they came, also after one that failed", async () => {
  const exclusive = new Mutex();
  const steps: string[] = [];
  const work = (name: string, fails = false) =>
    exclusive.runExclusive(async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const outcomes = await Promise.allSettled([work("first"), work("second", true), work("third")]);
  expect(outcomes).toStrictEqual([
    { status: "fulfilled", value: "first" },
    { status: "rejected", reason: new Error("second") },
    { status: "fulfilled", value: "third" },
  ]);
  expect(steps).toStrictEqual([
    "first begins",
    "first ends",
    "second begins",
    "second ends",
    "third begins",
    "third ends",
  ]);
});
