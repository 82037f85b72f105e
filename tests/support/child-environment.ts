/** What a test run sets for itself must not reach the service. */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, TEST_PROFILE: __, ...rest } = environment;
  return rest;
}
