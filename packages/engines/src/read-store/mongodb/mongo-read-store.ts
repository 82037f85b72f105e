import type { Db } from "mongodb";
import type { LogMark } from "../../log-mark.ts";
import { type MongoConnection, translateMongoErrors } from "../../mongodb/index.ts";
import { markAt } from "../checkpoint-event.ts";
import {
  type Batch,
  checkKeys,
  type Document,
  type Generation,
  type GenerationInfo,
  isStorable,
  MAX_FOLDED_CHARACTERS,
  type ReadStore,
  ReadStoreUnavailable,
} from "../index.ts";
import { BatchWriter } from "./batch-writer.ts";
import { awaitAll, collectionOf, collectionsOf, nameOfGeneration } from "./collections.ts";
import { DocumentWriter } from "./document-writer.ts";
import { LiveGenerations } from "./live-generations.ts";
import { MongoReadModels } from "./mongo-read-models.ts";
import { ProjectionRecords, requireGeneration } from "./projection-records.ts";
import { RedoLog } from "./redo-log.ts";
import { type Stored, sizeOf, toDocument } from "./stored-document.ts";

export { MongoProgress } from "./mongo-progress.ts";
export { openMongoReadModels } from "./mongo-read-models.ts";
export { GenerationSuperseded } from "./projection-records.ts";

/** For bulk reads of the projector. No request waits for them. */
const BULK_READ_TIMEOUT_MS = 25_000;

/** The read models of one database, without transactions: see `BatchWriter`. */
class MongoReadStore extends MongoReadModels implements ReadStore {
  readonly #records: ProjectionRecords;
  readonly #redoLog: RedoLog;
  readonly #writer: BatchWriter;
  /** The checkpoints this process folds from. No document that it reads may be ahead of them. */
  readonly #checkpoints = new Map<string, bigint>();

  constructor(db: Db) {
    const records = new ProjectionRecords(db);
    super(db, new LiveGenerations(records));
    this.#records = records;
    this.#redoLog = new RedoLog(db);
    this.#writer = new BatchWriter(records, this.#redoLog, new DocumentWriter(db));
  }

  /** @throws ReadStoreUnavailable also if another process has written. Then start again from its checkpoint. */
  documentsOf(generation: Generation, model: string, keys: readonly string[]): Promise<(Document | undefined)[]> {
    return translateMongoErrors(ReadStoreUnavailable, async () => {
      const { id } = await this.#records.known(generation);
      const wanted = { _id: { $in: keys.filter(isStorable) } };
      // Larger than what can be found, so that the server sees at once that nothing is left to fetch.
      const options = { maxTimeMS: BULK_READ_TIMEOUT_MS, batchSize: keys.length + 1 };
      const reached = this.#checkpoints.get(nameOf(generation));
      const byKey = new Map<string, Stored>();
      let characters = 0;
      for await (const stored of collectionOf(this.db, model, id).find(wanted, options)) {
        if (reached !== undefined && stored.position > reached) {
          throw new ReadStoreUnavailable(`another process has written on projection ${generation.projection}`);
        }
        if (characters >= MAX_FOLDED_CHARACTERS) {
          // They come in any order, so as many of the first keys are asked for as were read.
          return this.documentsOf(generation, model, keys.slice(0, Math.min(byKey.size, Math.ceil(keys.length / 2))));
        }
        byKey.set(stored._id, stored);
        characters += sizeOf(stored);
      }
      return keys.map((key) => toDocument(byKey.get(key)));
    });
  }

  create(projection: string, version: number): Promise<Generation> {
    return translateMongoErrors(ReadStoreUnavailable, () => this.#records.create(projection, version));
  }

  async write(batches: readonly Batch[]): Promise<void> {
    for (const batch of batches) {
      const before = this.#checkpoints.get(nameOf(batch)) ?? 0n;
      if (before <= batch.checkpoint) this.#checkpoints.set(nameOf(batch), batch.checkpoint);
    }
    try {
      await translateMongoErrors(ReadStoreUnavailable, () => this.#write(batches));
    } catch (error) {
      // Afterwards `checkpoint` finds out how much of the batch is written.
      for (const batch of batches) this.#checkpoints.delete(nameOf(batch));
      throw error;
    }
  }

  checkpoint(generation: Generation): Promise<LogMark> {
    return translateMongoErrors(ReadStoreUnavailable, async () => {
      const { id, checkpoint, checkpointEvent } = await this.#writer.recover(generation);
      await this.#redoLog.removeAbandoned(nameOfGeneration(generation.projection, id));
      this.#checkpoints.set(nameOf(generation), checkpoint);
      return markAt(checkpoint, checkpointEvent);
    });
  }

  async generations(projection: string): Promise<readonly GenerationInfo[]> {
    const record = await translateMongoErrors(ReadStoreUnavailable, () => this.#records.find(projection));
    const known = Object.entries(record?.generations ?? {}).map(([number, { version }]) => {
      return { generation: Number(number), version, live: Number(number) === record?.live };
    });
    return known.sort((one, other) => one.generation - other.generation);
  }

  /** @throws GenerationSuperseded another process has switched reads to a newer one. */
  async switchLive(generation: Generation): Promise<void> {
    await translateMongoErrors(ReadStoreUnavailable, () => this.#records.switchLive(generation));
    this.live.refresh();
  }

  drop(generation: Generation, signal?: AbortSignal): Promise<void> {
    return translateMongoErrors(ReadStoreUnavailable, async () => {
      const known = await this.#records.markDropping(generation);
      this.#checkpoints.delete(nameOf(generation));
      if (known === undefined) return;
      for (const collection of await collectionsOf(this.db, generation.projection, known.id)) {
        if (signal?.aborted) return;
        await collection.drop();
      }
      await this.#redoLog.removeAll(nameOfGeneration(generation.projection, known.id));
      await this.#records.delete(generation, known);
    });
  }

  async #write(batches: readonly Batch[]): Promise<void> {
    const records = await Promise.all(batches.map(({ projection }) => this.#records.find(projection)));
    for (const [index, batch] of batches.entries()) {
      requireGeneration(records[index], batch);
      batch.writes.forEach(checkKeys);
    }
    await awaitAll(batches.map((batch, index) => this.#writer.write(batch, records[index])));
  }
}

function nameOf({ projection, generation }: Generation): string {
  return `${projection}/${generation}`;
}

/** For the writing process; others use `openMongoReadModels`. The store does not close the connection. */
export function openMongoReadStore({ db }: MongoConnection): ReadStore {
  return new MongoReadStore(db);
}
