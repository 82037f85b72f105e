import { randomUUID } from "node:crypto";
import type { Collection, Db } from "mongodb";
import { READ_TIMEOUT_MS } from "../../mongodb/index.ts";
import { type Batch, keyOf, positionOf } from "../index.ts";
import type { RedoEntry } from "./projection-records.ts";
import { type Stored, toStored } from "./stored-document.ts";

/** A part of the changes of a batch. */
interface Part {
  /** `<projection>@<id of the generation>/<token>/<number>`. */
  readonly _id: string;
  readonly since: Date;
  readonly changes: readonly StoredChange[];
}

/** Age at which parts are removed whose batch never began because its process died. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * A redo log instead of transactions, which compatible servers may lack. All changes of a batch are stored here before
 * the first one is made. If the process dies half-way, the next writer makes the rest, so no event is folded into half
 * a batch.
 */
export class RedoLog {
  readonly #parts: Collection<Part>;

  constructor(db: Db) {
    this.#parts = db.collection("redo", { useBigInt64: true });
  }

  /** Stores changes. They count once the generation's record has an entry with the returned token. */
  async append(generation: string, changes: readonly StoredChange[]): Promise<Pick<RedoEntry, "token" | "parts">> {
    const token = randomUUID();
    const since = new Date();
    let parts = 0;
    for (const piece of chunksOf(changes)) {
      await this.#parts.insertOne({ _id: idOf(generation, token, parts++), since, changes: piece });
    }
    return { token, parts };
  }

  /** One part; undefined if it is gone. */
  async read(generation: string, { token }: RedoEntry, part: number): Promise<readonly StoredChange[] | undefined> {
    const found = await this.#parts.findOne({ _id: idOf(generation, token, part) }, { maxTimeMS: READ_TIMEOUT_MS });
    return found?.changes;
  }

  async remove(generation: string, { token, parts }: RedoEntry): Promise<void> {
    const ids = Array.from({ length: parts }, (_, n) => idOf(generation, token, n));
    if (ids.length > 0) await this.#parts.deleteMany({ _id: { $in: ids } });
  }

  /** Removes old parts that no record names. */
  async removeAbandoned(generation: string): Promise<void> {
    const oldest = new Date(Date.now() - ABANDONED_AFTER_MS);
    await this.#parts.deleteMany({ _id: rangeOf(generation), since: { $lt: oldest } });
  }

  /** All parts of a dropped generation. */
  async removeAll(generation: string): Promise<void> {
    await this.#parts.deleteMany({ _id: rangeOf(generation) });
  }
}

function idOf(generation: string, token: string, part: number): string {
  return `${generation}/${token}/${part}`;
}

/** "0" sorts right after "/". */
function rangeOf(generation: string) {
  return { $gt: `${generation}/`, $lt: `${generation}0` };
}

/** A document or tombstone to store in the collection of its model. */
export interface StoredChange {
  readonly model: string;
  readonly stored: Stored;
}

/** The changes of a batch above the checkpoint: the last change of each document, sorted by model. */
export function changesOf({ writes }: Batch, checkpoint: bigint): readonly StoredChange[] {
  const newer = writes.filter((write) => positionOf(write) > checkpoint);
  return [...Map.groupBy(newer, (write) => write.model)].flatMap(([model, ofModel]) => {
    const last = new Map(ofModel.map((write) => [keyOf(write), write])).values();
    return [...last].map((write) => ({ model, stored: toStored(write) }));
  });
}

/** Approximate limits of one message or one part, far below those of a MongoDB document. */
const MAX_DOCUMENTS = 500;
const MAX_CHARACTERS = 2_000_000;

/** Splits changes into chunks of one message each. */
export function* chunksOf(changes: readonly StoredChange[]): Generator<readonly StoredChange[]> {
  let piece: StoredChange[] = [];
  let characters = 0;
  for (const change of changes) {
    piece.push(change);
    if ("state" in change.stored) characters += change.stored.state.length + (change.stored.body?.length ?? 0);
    if (piece.length < MAX_DOCUMENTS && characters < MAX_CHARACTERS) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}
