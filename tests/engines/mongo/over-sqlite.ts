import { build } from "../go/build.ts";
import { goProgramMissingReason } from "../go/go-program.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { FERRETDB, startFerretDb } from "./ferretdb.ts";
import { type MongoEngine, type MongoOptions, ownStorageMissingReason } from "./options.ts";

/** Slow: every operation reads through its whole collection. */
export const ferretOverSqlite: EngineProvider<MongoEngine, MongoOptions> = {
  name: "FerretDB over SQLite",
  missingReason: (options) => goProgramMissingReason(FERRETDB) ?? ownStorageMissingReason(options),
  async prepare() {
    await build(FERRETDB);
  },
  async start() {
    const { url, server } = await startFerretDb((folder) => `-sqlite=${folder}`);
    return {
      url,
      stop: () => server.stop(),
      kill: () => server.kill(),
      restart: () => server.restart(),
    };
  },
};
