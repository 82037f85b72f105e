import fs from "node:fs";
import path from "node:path";
import { findCommand } from "../processes/find-command.ts";
import { postgresUser } from "./postgres-user.ts";

/** Where Debian puts them: not on the path. */
const DEBIAN = "/usr/lib/postgresql/*/bin";

/** The folder with the programs of a PostgreSQL that is installed: of the newest one, where there are several. */
export function findPostgres(): string | undefined {
  const onPath = findCommand("initdb");
  const version = (folder: string) => Number(path.basename(path.dirname(folder)));
  return [
    ...fs.globSync(DEBIAN).sort((one, other) => version(other) - version(one)),
    ...(onPath === undefined ? [] : [path.dirname(fs.realpathSync(onPath))]),
  ].find((folder) => fs.existsSync(path.join(folder, "initdb")) && fs.existsSync(path.join(folder, "postgres")));
}

/** Why there can be no PostgreSQL. Undefined: there can. */
export function postgresMissingReason(): string | undefined {
  if (findPostgres() === undefined) return "PostgreSQL is not installed";
  if (postgresUser() === "nobody") return "PostgreSQL does not run as root, and there is no user postgres";
  return undefined;
}
