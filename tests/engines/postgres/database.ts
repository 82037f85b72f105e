import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";

export const ROLE = "postgres";
/** Of one client: FerretDB's own default times the test processes is more than a server takes. */
const CONNECTIONS = 60;

/** A PostgreSQL that is running. */
export interface RunningPostgres {
  /** With its programs. */
  readonly programs: string;
  /** With its socket. */
  readonly folder: string;
}

export interface Database {
  readonly url: string;
  /** Also where it is in use. */
  drop(): Promise<void>;
}

/** A fresh database. */
export async function createDatabase({ programs, folder }: RunningPostgres): Promise<Database> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const run = (program: string, ...options: string[]) =>
    promisify(execFile)(path.join(programs, program), ["-h", folder, "-U", ROLE, ...options, name]);
  await run("createdb");
  return {
    url: `postgres://${ROLE}@/${name}?host=${encodeURIComponent(folder)}&pool_max_conns=${CONNECTIONS}`,
    async drop() {
      await run("dropdb", "--force", "--if-exists");
    },
  };
}
