import os from "node:os";
import { expect, test } from "@jest/globals";
import { jestArguments } from "../jest-arguments.ts";

const EACH_CORE = `--maxWorkers=${os.availableParallelism()}`;
const SHARED = { TEST_EVENT_STORE_URL: "esdb://127.0.0.1:2113" };

test.each<[string, string[], NodeJS.ProcessEnv, { all: boolean; args: string[] }]>([
  ["nothing", [], {}, { all: false, args: [EACH_CORE] }],
  ["files", ["--all", "tests/crash"], {}, { all: true, args: [EACH_CORE, "tests/crash"] }],
  ["an option", ["--all", "--maxWorkers=1", "holds"], {}, { all: true, args: ["--maxWorkers=1", "holds"] }],
  ["an option with its value", ["-t", "a name"], {}, { all: false, args: [EACH_CORE, "-t", "a name"] }],
  ["options behind another --", ["--all", "--", "-w", "1"], {}, { all: true, args: ["-w", "1"] }],
  ["one log for all", ["--all"], SHARED, { all: true, args: ["--maxWorkers=1"] }],
  ["one log, and workers", ["--maxWorkers=2"], SHARED, { all: false, args: ["--maxWorkers=2"] }],
])("%s", (_, given, env, expected) => {
  expect(jestArguments(given, env)).toStrictEqual(expected);
});
