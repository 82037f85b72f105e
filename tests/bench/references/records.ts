import { type Database, open } from "lmdb";

/** A bare LMDB database of msgpackr records with shared structures, by position. */
export function openRecords(folder: string): Database<unknown, number> {
  return open({ path: folder, encoding: "msgpack", sharedStructuresKey: Symbol.for("structures") });
}
