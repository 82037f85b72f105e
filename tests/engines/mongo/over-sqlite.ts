import { build } from "../go/build.ts";
import { goProgramMissing } from "../go/go-program.ts";
import type { Way } from "../ways/way.ts";
import { FERRETDB, startFerretDb } from "./ferretdb.ts";
import { type MongoEngine, type MongoOptions, ownStorageMissing } from "./options.ts";

/** Slow: every operation reads through its whole collection. */
export const ferretOverSqlite: Way<MongoEngine, MongoOptions> = {
  name: "FerretDB over SQLite",
  missing: (options) => goProgramMissing(FERRETDB) ?? ownStorageMissing(options),
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
