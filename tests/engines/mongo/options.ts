import type { TestEngine } from "../engine.ts";
import type { OwnServer } from "../ways/given.ts";

export interface MongoOptions extends OwnServer {
  /** Has a PostgreSQL of its own under it, which can be killed: see `storage`. */
  readonly ownStorage?: boolean;
}

/** Its url names a fresh database, which is gone in the end. */
export interface MongoEngine extends TestEngine {
  /** What stores its data, where that was asked for. */
  readonly storage?: Pick<TestEngine, "kill" | "restart">;
}

/** Why a server that is not FerretDB over PostgreSQL will not do. */
export function ownStorageMissing({ ownStorage = false }: MongoOptions): string | undefined {
  return ownStorage ? "its storage is not a server of its own" : undefined;
}
