import type { TestEngine } from "../engine.ts";
import type { ServerRequirements } from "../providers/environment-server.ts";

export interface MongoOptions extends ServerRequirements {
  /** Has a PostgreSQL of its own under it, which can be killed: see `storage`. */
  readonly ownStorage?: boolean;
}

/** Its url names a fresh database, which is gone in the end. */
export interface MongoEngine extends TestEngine {
  /** What stores its data, where that was asked for. */
  readonly storage?: Pick<TestEngine, "kill" | "restart">;
}

/** Why a server that is not FerretDB over PostgreSQL will not do. */
export function ownStorageMissingReason({ ownStorage = false }: MongoOptions): string | undefined {
  return ownStorage ? "its storage is not a server of its own" : undefined;
}
