import { randomUUID } from "node:crypto";
import type { Collection, Db } from "mongodb";
import type { Batch, Write } from "../index.ts";
import { forEachConcurrent, READ_TIMEOUT_MS } from "./collections.ts";
import type { RedoEntry } from "./projection-records.ts";
import { keyOf, positionOf, type Stored, toStored } from "./stored-document.ts";

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

/** A document, or the end of one, as it is to be stored in its model's collection. */
export interface StoredChange {
  readonly model: string;
  readonly stored: Stored;
}

/**
 * What a batch changes: of several writes of one key that with the highest position, of several at one position the
 * first. What is at or below the checkpoint is folded in already. Models stand together.
 */
export function changesOf({ writes }: Batch, checkpoint: bigint): readonly Write[] {
  const models = new Map<string, Map<string, Write>>();
  for (const write of writes) {
    if (positionOf(write) <= checkpoint) continue;
    const changes = models.get(write.model) ?? new Map<string, Write>();
    models.set(write.model, changes);
    const before = changes.get(keyOf(write));
    if (before === undefined || positionOf(before) < positionOf(write)) changes.set(keyOf(write), write);
  }
  return [...models.values()].flatMap((changes) => [...changes.values()]);
}

/** In pieces of so many documents, or of roughly so many characters, made as they are asked for. */
export function* chunksOf(
  changes: Iterable<StoredChange>,
  most: { readonly documents: number; readonly characters: number },
): Generator<readonly StoredChange[]> {
  let piece: StoredChange[] = [];
  let characters = 0;
  for (const change of changes) {
    piece.push(change);
    if ("state" in change.stored) characters += change.stored.state.length + (change.stored.body?.length ?? 0);
    if (piece.length < most.documents && characters < most.characters) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}

/** As they are asked for: a large batch is not in memory twice. */
export function* toStoredChanges(changes: Iterable<Write>): Generator<StoredChange> {
  for (const write of changes) yield { model: write.model, stored: toStored(write) };
}
