import { engineStarter } from "../providers/engine-starter.ts";
import { mongoFromEnvironment } from "./from-environment.ts";
import { mongoInContainer } from "./in-container.ts";
import type { MongoEngine, MongoOptions } from "./options.ts";
import { ferretOverPostgres } from "./over-postgres.ts";
import { ferretOverSqlite } from "./over-sqlite.ts";

/** A MongoDB, or what speaks its protocol, with a fresh database. */
export const startMongo = engineStarter<MongoEngine, MongoOptions>("mongo", [
  mongoFromEnvironment,
  mongoInContainer,
  ferretOverPostgres,
  ferretOverSqlite,
]);
