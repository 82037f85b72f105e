import { dockerMissing } from "../ways/docker.ts";
import { PostgresOfTheRun } from "./postgres-of-the-run.ts";

declare global {
  var postgresOfTheRun: PostgresOfTheRun | undefined;
}

/** Once a run, before its first test. */
export default async function setup(): Promise<void> {
  // Asked once, and known in every test process.
  dockerMissing();
  globalThis.postgresOfTheRun = new PostgresOfTheRun();
  await globalThis.postgresOfTheRun.lend();
}
