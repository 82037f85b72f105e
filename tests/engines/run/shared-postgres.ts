import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { findPostgres } from "../postgres/find-postgres.ts";
import { type Postgres, startPostgres } from "../postgres/postgres.ts";
import { SHARED_POSTGRES_VARIABLE } from "../postgres/shared-database.ts";
import { firstLine } from "../providers/first-line.ts";

/** One PostgreSQL for all test processes of a run, started when the first of them asks. */
export class SharedPostgres {
  readonly #server: Server;
  #postgres: Promise<Postgres> | undefined;

  constructor() {
    this.#server = createServer((_, response) => {
      this.#postgres ??= start();
      this.#postgres.then(
        ({ programs, folder }) => response.end(JSON.stringify({ programs, folder })),
        (failure: unknown) => response.writeHead(500).end(firstLine(failure)),
      );
    });
  }

  /** From here on the test processes find it. */
  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.#server.unref();
    process.env[SHARED_POSTGRES_VARIABLE] = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    delete process.env[SHARED_POSTGRES_VARIABLE];
    this.#server.close();
    this.#server.closeAllConnections();
    const postgres = await this.#postgres?.catch(() => undefined);
    await postgres?.stop();
  }
}

async function start(): Promise<Postgres> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  return startPostgres(programs);
}
