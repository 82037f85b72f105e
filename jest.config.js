import { EVERYDAY } from "./tests/run/everyday.ts";

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
  setupFiles: ["<rootDir>/tests/run/fixed-seed.ts"],
};

const servers = {
  globalSetup: "<rootDir>/tests/engines/run/global-setup.ts",
  globalTeardown: "<rootDir>/tests/engines/run/global-teardown.ts",
};

const tests = `${import.meta.dirname}/tests`;
const everyday = `${tests}/{${EVERYDAY.join(",")}}/**/*.test.ts`;

/** @type {import("jest").Config} */
export default {
  projects: [
    {
      ...common,
      displayName: "everyday",
      // The last pattern that matches decides.
      testMatch: ["<rootDir>/**/*.test.ts", `!${tests}/**`, everyday],
    },
    {
      ...common,
      ...servers,
      displayName: "rest",
      testMatch: [`${tests}/**/*.test.ts`, `!${everyday}`, `!${tests}/docker/**`],
    },
    { ...common, displayName: "docker", testMatch: [`${tests}/docker/**/*.test.ts`] },
    {
      ...common,
      ...servers,
      displayName: "distributed",
      testMatch: ["<rootDir>/tests/end-to-end/everywhere/**/*.test.ts"],
      setupFiles: [...common.setupFiles, "<rootDir>/tests/engines/run/use-distributed-profile.ts"],
    },
  ],
  testSequencer: "<rootDir>/tests/run/sequencer.ts",
  // A process that runs many files grows; between two files it is replaced.
  workerIdleMemoryLimit: "1GB",
  // Ends tests that hang. No test depends on how long anything takes.
  testTimeout: 300_000,
};
