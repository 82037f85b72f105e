import fs from "node:fs";
import { newFolder } from "../processes/new-folder.ts";
import { killAndWait, suspendAndListChildren } from "../processes/process-tree.ts";
import { ServerProcess } from "../processes/server-process.ts";
import { createDatabase, type Database, ROLE, type RunningPostgres } from "./database.ts";
import { postgresUser } from "./postgres-user.ts";

/** Nobody reaches it but through the socket in its folder. What a power cut would do to it is no matter. */
const SETTINGS = { listen_addresses: "", fsync: "off", shared_buffers: "32MB", max_connections: "300" };

/**
 * The programs are in `$0`. Its files are made before the first start, with the encoding and the locale that FerretDB
 * wants. Everybody is trusted: its folder is closed to others.
 */
const MAKE_AND_RUN = `
  [ -d data ] ||
    "$0/initdb" --no-sync --auth=trust --username=${ROLE} --locale=C --encoding=UTF8 --wal-segsize=1 -D data || exit 1
  exec "$0/postgres" -D data "$@"
`;

/** A PostgreSQL of our own. */
export class Postgres implements RunningPostgres {
  readonly programs: string;
  readonly folder: string;
  readonly #server: ServerProcess;

  constructor(programs: string, folder: string, server: ServerProcess) {
    this.programs = programs;
    this.folder = folder;
    this.#server = server;
  }

  database(): Promise<Database> {
    return createDatabase(this);
  }

  /** With every process of it: one that is left would serve its client for a moment longer. */
  async kill(): Promise<void> {
    const { pid } = this.#server;
    // Held still, it starts no further one meanwhile.
    const processes = pid === undefined ? [] : suspendAndListChildren(pid);
    await this.#server.kill();
    await killAndWait(processes);
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.#server.restart();
  }

  async stop(): Promise<void> {
    // The memory that a killed one has shared outlives it; one that ends by itself gives it back.
    if (this.#server.pid === undefined) await this.#server.restart();
    await this.#server.stop();
  }
}

/** @param programs the folder with its programs. @throws Error it did not start. */
export async function startPostgres(programs: string): Promise<Postgres> {
  const user = postgresUser();
  if (user === "nobody") throw new Error("PostgreSQL does not run as root, and there is no user postgres");
  const folder = newFolder("postgres");
  if (user !== undefined) fs.chownSync(folder, user.uid, user.gid);
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder });
  const server = await ServerProcess.start({
    command: "/bin/sh",
    args: ["-c", MAKE_AND_RUN, programs, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    folder,
    ready: /ready to accept connections/,
    // At once as well, but its processes and the memory they share go with it.
    stopSignal: "QUIT",
    ...(user && { user }),
  });
  return new Postgres(programs, folder, server);
}
