import { randomUUID } from "node:crypto";
import type { Collection, Db } from "mongodb";
import type { Write } from "../port.ts";
import { chunksOf, type StoredChange, toStoredChanges } from "./changes.ts";
import { forEachConcurrent } from "./concurrency.ts";
import type { RedoEntry } from "./projection-record.ts";
import { READ_TIMEOUT_MS } from "./read-timeouts.ts";

/** Some changes of a batch. */
interface Part {
  /** `<projection>@<id of the generation>/<token>/<number>`. */
  readonly _id: string;
  readonly since: Date;
  readonly changes: readonly StoredChange[];
}

/** What one part holds at most; far below what a document of MongoDB may hold. */
const MAX_PER_PART = { documents: 1_000, characters: 2_000_000 };
/** Parts on their way at once. */
const MAX_CONCURRENT = 4;

/** Parts of a batch that never began, because its process died, are removed when they are so old. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * What stands in for a transaction. The changes of a batch are kept here, all of them, before the first is made: where
 * a process dies between two of them, whoever comes next makes the others, and nobody folds on a half of them.
 */
export class RedoLog {
  readonly #parts: Collection<Part>;

  constructor(db: Db) {
    this.#parts = db.collection("redo", { useBigInt64: true });
  }

  /** Keeps changes; they count once the record of the generation names what this answers. */
  async append(generation: string, changes: Iterable<Write>, checkpoint: bigint): Promise<RedoEntry> {
    const token = randomUUID();
    const since = new Date();
    let parts = 0;
    await forEachConcurrent(MAX_CONCURRENT, chunksOf(toStoredChanges(changes), MAX_PER_PART), async (piece) => {
      await this.#parts.insertOne({ _id: idOf(generation, token, parts++), since, changes: piece });
    });
    return { token, parts, checkpoint };
  }

  /** The parts, one after the other; ends early where one is gone, because somebody else has done it all. */
  async *read(generation: string, { token, parts }: RedoEntry): AsyncGenerator<readonly StoredChange[]> {
    for (let n = 0; n < parts; n++) {
      const part = await this.#parts.findOne({ _id: idOf(generation, token, n) }, { maxTimeMS: READ_TIMEOUT_MS });
      if (part === null) return;
      yield part.changes;
    }
  }

  async remove(generation: string, { token, parts }: RedoEntry): Promise<void> {
    const ids = Array.from({ length: parts }, (_, n) => idOf(generation, token, n));
    if (ids.length > 0) await this.#parts.deleteMany({ _id: { $in: ids } });
  }

  /** What no record names. */
  async removeAbandoned(generation: string): Promise<void> {
    await this.#parts.deleteMany({
      _id: rangeOf(generation),
      since: { $lt: new Date(Date.now() - ABANDONED_AFTER_MS) },
    });
  }

  /** Of a generation that is gone. */
  async removeAll(generation: string): Promise<void> {
    await this.#parts.deleteMany({ _id: rangeOf(generation) });
  }
}

function idOf(generation: string, token: string, part: number): string {
  return `${generation}/${token}/${part}`;
}

/** "0" is what sorts right behind "/". */
function rangeOf(generation: string) {
  return { $gt: `${generation}/`, $lt: `${generation}0` };
}
