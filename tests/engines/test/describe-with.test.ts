import path from "node:path";
import { expect, test } from "@jest/globals";
import { childJest } from "./kit/child-jest.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const CONFIG = {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  testMatch: [path.join(import.meta.dirname, "kit/describe-with.fixture.ts")],
  transform: { "^.+\\.ts$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2024" } }] },
  injectGlobals: false,
};

test("engines run during the cases; without one the cases are skipped with its reason; one that fails fails them", async () => {
  const [file] = await childJest(ROOT, CONFIG);
  const results = file?.assertionResults.map(({ status, ancestorTitles, title, failureMessages }) => [
    [...ancestorTitles, title].join(" › "),
    failureMessages[0]?.split("\n")[0] ?? status,
  ]);
  expect(results).toStrictEqual([
    ["engines that are there › run during its cases", "passed"],
    ["afterwards › they are stopped", "passed"],
    ["outer › an engine that is not there — skipped: missing: nobody has one › first case", "pending"],
    ["outer › an engine that is not there — skipped: missing: nobody has one › inner › second case", "pending"],
    ["an engine that does not start › third case", "Error: broken: it fell over"],
    ["after all that › only what was started has been, and is stopped", "passed"],
    ["an engine used too early › says so", "passed"],
  ]);
});
