import { setImmediate } from "node:timers/promises";
import type { Database } from "lmdb";
import type { Databases } from "./databases.ts";
import { generationRange } from "./keys.ts";

/** Entries removed in one transaction: few enough that other writers hardly wait. */
const BATCH_SIZE = 2_000;

/**
 * Removes the documents of a generation, in steps that leave room for other writers. False where the signal ended it
 * before it was done.
 */
export async function removeDocuments(
  databases: Databases,
  generationId: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const database of [databases.rows, databases.states, databases.documents]) {
    do {
      if (signal?.aborted) return false;
      await setImmediate();
    } while ((await removeSome(databases, database, generationId)) === BATCH_SIZE);
  }
  return true;
}

async function removeSome(databases: Databases, database: Database<Buffer, Buffer>, generationId: number) {
  return databases.root.childTransaction(() => {
    const keys = database
      .getKeys({ ...generationRange(generationId), limit: BATCH_SIZE })
      .map((key) => Buffer.from(key));
    let removed = 0;
    for (const key of [...keys]) {
      database.removeSync(key);
      removed++;
    }
    return removed;
  });
}
