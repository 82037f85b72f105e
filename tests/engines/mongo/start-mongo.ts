import { starter } from "../ways/starter.ts";
import { mongoInContainer } from "./in-container.ts";
import { mongoOfEnvironment } from "./of-environment.ts";
import type { MongoEngine, MongoOptions } from "./options.ts";
import { ferretOverPostgres } from "./over-postgres.ts";
import { ferretOverSqlite } from "./over-sqlite.ts";

/** A MongoDB, or what speaks its protocol, with a fresh database. */
export const startMongo = starter<MongoEngine, MongoOptions>("mongo", [
  mongoOfEnvironment,
  mongoInContainer,
  ferretOverPostgres,
  ferretOverSqlite,
]);
