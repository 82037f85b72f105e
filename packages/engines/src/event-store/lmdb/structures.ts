import { DamagedStore, verifyChecksum, withChecksum } from "../../lmdb/index.ts";
import type { EventDatabases } from "./databases.ts";

/**
 * The field names of every shape of object that was ever packed: a packed object is a number that says which, and
 * its values. Only ever grows.
 */
export type Structures = string[][];

const KEY = "structures";

/** @throws DamagedStore */
export function loadStructures({ meta }: EventDatabases): Structures {
  const record = meta.get(KEY);
  if (record === undefined) return [];
  const content = verifyChecksum(record);
  if (content === undefined) throw new DamagedStore(KEY, "the names of the fields of events are not what was written");
  return JSON.parse(content.toString("utf8"));
}

/** Flushed when it returns, so that no record that needs them can come before them. */
export function saveStructures({ meta }: EventDatabases, structures: readonly (readonly string[])[]): void {
  meta.putSync(KEY, withChecksum(Buffer.from(JSON.stringify(structures), "utf8")));
}
