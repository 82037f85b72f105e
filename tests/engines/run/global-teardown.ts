/** Once a run, after its last test. */
export default async function teardown(): Promise<void> {
  await globalThis.postgresOfTheRun?.stop();
  globalThis.postgresOfTheRun = undefined;
}
