import { setImmediate } from "node:timers/promises";
import type { Database, RootDatabase } from "lmdb";
import { causeOfWriteFailure } from "../../lmdb/index.ts";
import {
  type Batch,
  type Document,
  type Generation,
  type GenerationInfo,
  GenerationInUse,
  type ReadStore,
  UnknownGeneration,
} from "../index.ts";
import { BatchWriter } from "./batch-writer.ts";
import { type Databases, type GenerationRecord, openDatabases } from "./databases.ts";
import { generationRange, ModelKeys } from "./keys.ts";
import { LiveGenerations, LmdbReadModels } from "./lmdb-read-models.ts";

export { LMDB_READ_STORE_DATABASES } from "./databases.ts";
export { openLmdbReadModels } from "./lmdb-read-models.ts";

/** The read models of one environment. */
class LmdbReadStore extends LmdbReadModels implements ReadStore {
  readonly #databases: Databases;
  readonly #live: LiveGenerations;
  readonly #writer: BatchWriter;
  readonly #keys = new Map<number, Map<string, ModelKeys>>();

  constructor(databases: Databases) {
    super(databases);
    this.#databases = databases;
    this.#live = new LiveGenerations(databases.live);
    this.#writer = new BatchWriter(databases);
  }

  async documentsOf(generation: Generation, model: string, keys: readonly string[]): Promise<(Document | undefined)[]> {
    const modelKeys = this.#keysOf(this.#known(generation).id, model);
    return keys.map((key) => this.documentIn(modelKeys, key));
  }

  async create({ projection, generation }: Generation, version: number): Promise<void> {
    const { root, generations } = this.#databases;
    await root.childTransaction(() => {
      if (generations.get([projection, generation]) !== undefined) return;
      const ids = [...generations.getRange({})].map(({ value }) => value.id);
      generations.putSync([projection, generation], { id: Math.max(0, ...ids) + 1, version, checkpoint: "0" });
    });
  }

  async write(batches: readonly Batch[]): Promise<void> {
    const applied = this.#databases.root.childTransaction(() => {
      for (const batch of batches) this.#apply(batch);
    });
    await applied.catch(async (error: unknown) => Promise.reject(await causeOfWriteFailure(error)));
  }

  async checkpoint(generation: Generation): Promise<bigint> {
    return BigInt(this.#known(generation).checkpoint);
  }

  async generations(projection: string): Promise<readonly GenerationInfo[]> {
    const live = this.#live.numberOf(projection);
    const range = this.#databases.generations.getRange({
      start: [projection, 0],
      end: [projection, Number.MAX_SAFE_INTEGER],
    });
    return [...range].map(({ key: [, generation], value: { version } }) => {
      return { generation, version, live: generation === live };
    });
  }

  async switchLive(generation: Generation): Promise<void> {
    await this.#databases.root.childTransaction(() => {
      this.#live.set(generation.projection, this.#known(generation).id, generation.generation);
    });
  }

  async drop(generation: Generation, signal?: AbortSignal): Promise<void> {
    const { root, generations } = this.#databases;
    const known = this.#find(generation);
    if (known === undefined) return;
    if (this.#live.numberOf(generation.projection) === generation.generation) throw new GenerationInUse(generation);
    if (!(await removeDocuments(this.#databases, known.id, signal))) return;
    await root.childTransaction(() => generations.removeSync([generation.projection, generation.generation]));
    this.#keys.delete(known.id);
  }

  async close(): Promise<void> {
    await this.#databases.root.committed;
  }

  #apply(batch: Batch): void {
    const known = this.#known(batch);
    const checkpoint = BigInt(known.checkpoint);
    this.#writer.apply(batch, checkpoint, (model) => this.#keysOf(known.id, model));
    if (batch.checkpoint <= checkpoint) return;
    const record: GenerationRecord = { ...known, checkpoint: String(batch.checkpoint) };
    this.#databases.generations.putSync([batch.projection, batch.generation], record);
  }

  #find({ projection, generation }: Generation): GenerationRecord | undefined {
    return this.#databases.generations.get([projection, generation]);
  }

  #known(generation: Generation): GenerationRecord {
    const known = this.#find(generation);
    if (known === undefined) throw new UnknownGeneration(generation);
    return known;
  }

  #keysOf(id: number, model: string): ModelKeys {
    const models = this.#keys.get(id) ?? new Map<string, ModelKeys>();
    this.#keys.set(id, models);
    const keys = models.get(model) ?? new ModelKeys(id, model);
    models.set(model, keys);
    return keys;
  }
}

/**
 * For the one writing thread; others use `openLmdbReadModels`. The store does not close the environment, which must
 * have been opened with `overlappingSync: false`, so that what is visible is durable.
 */
export function openLmdbReadStore(root: RootDatabase<unknown, string>): ReadStore {
  return new LmdbReadStore(openDatabases(root));
}

/** Entries removed in one transaction: few enough that other writers hardly wait. */
const BATCH_SIZE = 2_000;

/** Removes the documents of a generation in small transactions. False if the signal aborted it. */
async function removeDocuments(
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
