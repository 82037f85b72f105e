import { dockerMissingReason } from "../providers/docker.ts";
import { SharedPostgres } from "./shared-postgres.ts";

declare global {
  var postgresOfTheRun: SharedPostgres | undefined;
}

/** Once a run, before its first test. */
export default async function setup(): Promise<void> {
  // Asked once, and known in every test process.
  dockerMissingReason();
  globalThis.postgresOfTheRun = new SharedPostgres();
  await globalThis.postgresOfTheRun.listen();
}
