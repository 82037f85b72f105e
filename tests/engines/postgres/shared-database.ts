import { createDatabase, type Database, type RunningPostgres } from "./database.ts";
import { startPostgres } from "./postgres.ts";

/** Where the test run lends its server: see `run/shared-postgres.ts`. */
export const SHARED_POSTGRES_VARIABLE = "TEST_POSTGRES_LENT_AT";

/** A fresh database on the one server of the test run; without a test run, on a server of its own. */
export async function sharedDatabase(programs: string): Promise<Database> {
  const address = process.env[SHARED_POSTGRES_VARIABLE];
  if (address !== undefined) return createDatabase(await findSharedPostgres(address));
  const own = await startPostgres(programs);
  const { url } = await own.database();
  return { url, drop: () => own.stop() };
}

async function findSharedPostgres(address: string): Promise<RunningPostgres> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as RunningPostgres;
}
