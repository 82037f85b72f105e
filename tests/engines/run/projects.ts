const END_TO_END = "<rootDir>/tests/end-to-end/";

/** The part of a Jest project's configuration that is made here; the rest is the same for all. */
export interface ProjectConfig {
  readonly testPathIgnorePatterns: readonly string[];
}

/**
 * The end-to-end suite once for each profile, everything else once. What runs on the distributed profile sees
 * `TEST_PROFILE=distributed` in its environment.
 */
export function projects<Config extends ProjectConfig>(common: Config, { distributed }: { distributed: boolean }) {
  const endToEnd = { ...common, testMatch: [`${END_TO_END}**/*.test.ts`] };
  return [
    {
      ...common,
      testMatch: ["<rootDir>/**/*.test.ts"],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, END_TO_END],
    },
    { ...endToEnd, displayName: "embedded" },
    ...(distributed
      ? [
          {
            ...endToEnd,
            displayName: "distributed",
            setupFiles: [new URL("use-distributed-profile.ts", import.meta.url).pathname],
          },
        ]
      : []),
  ];
}
