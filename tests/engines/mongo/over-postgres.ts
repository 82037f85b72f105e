import { build } from "../go/build.ts";
import { goProgramMissingReason } from "../go/go-program.ts";
import { findPostgres, postgresMissingReason } from "../postgres/find-postgres.ts";
import { type Postgres, startPostgres } from "../postgres/postgres.ts";
import { sharedDatabase } from "../postgres/shared-database.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { FERRETDB, startFerretDb } from "./ferretdb.ts";
import type { MongoEngine, MongoOptions } from "./options.ts";

export const ferretOverPostgres: EngineProvider<MongoEngine, MongoOptions> = {
  name: "FerretDB over PostgreSQL",
  missingReason: () => goProgramMissingReason(FERRETDB) ?? postgresMissingReason(),
  async prepare() {
    await build(FERRETDB);
  },
  async start({ ownStorage = false }) {
    const programs = findPostgres();
    if (programs === undefined) throw new Error("PostgreSQL is not installed");
    const own: Postgres | undefined = ownStorage ? await startPostgres(programs) : undefined;
    const database = await (own === undefined ? sharedDatabase(programs) : own.database());
    const ferretDb = await startFerretDb(() => `-postgresql=${database.url}`).catch(async (failure: unknown) => {
      await database.drop();
      await own?.stop();
      throw failure;
    });
    return {
      url: ferretDb.url,
      async stop() {
        await ferretDb.server.stop();
        // With its server goes all that was in it.
        await (own === undefined ? database.drop() : own.stop());
      },
      kill: () => ferretDb.server.kill(),
      restart: () => ferretDb.server.restart(),
      ...(own && { storage: { kill: () => own.kill(), restart: () => own.restart() } }),
    };
  },
};
