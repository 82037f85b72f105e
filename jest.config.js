import { runsDistributed } from "./tests/engines/run/distributed.ts";
import { projects } from "./tests/engines/run/projects.ts";

const common = {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  testPathIgnorePatterns: ["/node_modules/"],
  modulePathIgnorePatterns: ["<rootDir>/data/"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2024" }, module: { type: "es6" } },
    ],
  },
  injectGlobals: false,
};

/** @type {import("jest").Config} */
export default {
  projects: projects(common, { distributed: runsDistributed() }),
  globalSetup: "<rootDir>/tests/engines/run/global-setup.ts",
  globalTeardown: "<rootDir>/tests/engines/run/global-teardown.ts",
  // Whatever hangs is ended by it; how long anything takes is not tested.
  testTimeout: 300_000,
};
