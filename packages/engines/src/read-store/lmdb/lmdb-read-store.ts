import type { RootDatabase } from "lmdb";
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
import { Databases, type GenerationRecord } from "./databases.ts";
import { FormerFormat } from "./former-format.ts";
import { LiveGenerations } from "./live-generations.ts";
import { LmdbReadModels, recordOf } from "./lmdb-read-models.ts";

export { LMDB_READ_STORE_DATABASES } from "./databases.ts";
export { openLmdbReadModels } from "./lmdb-read-models.ts";

/** Below the version of any projection: what has another format has to be built anew. */
const OUTDATED = 0;

/** The read models of one environment. */
class LmdbReadStore extends LmdbReadModels implements ReadStore {
  readonly #databases: Databases;
  readonly #live: LiveGenerations;
  readonly #writer = new BatchWriter();

  constructor(databases: Databases) {
    super(databases);
    this.#databases = databases;
    this.#live = new LiveGenerations(databases);
  }

  async documentsOf(generation: Generation, model: string, keys: readonly string[]): Promise<(Document | undefined)[]> {
    const source = this.#databases.ofSlot(this.#known(generation).slot).source(model);
    return keys.map((key) => recordOf(source, key)?.document(key));
  }

  async create({ projection, generation }: Generation, version: number): Promise<void> {
    const { root, generations } = this.#databases;
    const slot = await root.childTransaction(() => {
      const known = generations.get([projection, generation]);
      if (known !== undefined) return known.slot;
      const slot = lowestUnused([...generations.getRange({})].map(({ value }) => value.slot));
      generations.putSync([projection, generation], { slot, version, checkpoint: "0" });
      return slot;
    });
    this.#databases.ofSlot(slot);
  }

  async write(batches: readonly Batch[]): Promise<void> {
    const applied = this.#databases.root.childTransaction(() => {
      for (const batch of batches) this.#apply(batch);
    });
    await applied.catch(async (error: unknown) => Promise.reject(await causeOfWriteFailure(error)));
  }

  async checkpoint(generation: Generation): Promise<bigint> {
    const former = this.#formerOf(generation);
    return former === undefined ? BigInt(this.#known(generation).checkpoint) : former.checkpoint;
  }

  async generations(projection: string): Promise<readonly GenerationInfo[]> {
    const live = this.#live.numberOf(projection);
    const range = this.#databases.generations.getRange({
      start: [projection, 0],
      end: [projection, Number.MAX_SAFE_INTEGER],
    });
    const known = [...range].map(({ key: [, generation], value: { version } }) => {
      return { generation, version, live: generation === live };
    });
    const former = this.#databases.former?.liveGeneration(projection);
    if (former === undefined) return known;
    return [{ generation: former.generation, version: OUTDATED, live: live === undefined }, ...known];
  }

  async switchLive(generation: Generation): Promise<void> {
    await this.#databases.root.childTransaction(() => {
      this.#live.set(generation.projection, this.#known(generation).slot, generation.generation);
    });
  }

  /** In one transaction: LMDB frees the pages of a whole database. */
  async drop(generation: Generation): Promise<void> {
    await this.#databases.root.childTransaction(() => {
      const known = this.#find(generation);
      const isFormer = this.#formerOf(generation) !== undefined;
      const live = this.#live.numberOf(generation.projection);
      if (live === generation.generation || (isFormer && live === undefined)) throw new GenerationInUse(generation);
      if (isFormer) this.#databases.former?.remove(generation.projection);
      if (known === undefined) return;
      const { documents, rows } = this.#databases.ofSlot(known.slot);
      rows.clear();
      documents.clearSync();
      this.#databases.generations.removeSync([generation.projection, generation.generation]);
    });
  }

  async close(): Promise<void> {
    await this.#databases.root.committed;
  }

  #apply(batch: Batch): void {
    const known = this.#known(batch);
    const checkpoint = BigInt(known.checkpoint);
    this.#writer.apply(batch, checkpoint, this.#databases.ofSlot(known.slot));
    if (batch.checkpoint <= checkpoint) return;
    const record: GenerationRecord = { ...known, checkpoint: String(batch.checkpoint) };
    this.#databases.generations.putSync([batch.projection, batch.generation], record);
  }

  /** Written by the release before, and not built anew yet. */
  #formerOf({ projection, generation }: Generation) {
    const former = this.#databases.former?.liveGeneration(projection);
    return former?.generation === generation ? former : undefined;
  }

  #find({ projection, generation }: Generation): GenerationRecord | undefined {
    return this.#databases.generations.get([projection, generation]);
  }

  #known(generation: Generation): GenerationRecord {
    const known = this.#find(generation);
    if (known === undefined) throw new UnknownGeneration(generation);
    return known;
  }
}

function lowestUnused(used: readonly number[]): number {
  let slot = 0;
  while (used.includes(slot)) slot++;
  return slot;
}

/**
 * For the one writing thread; others use `openLmdbReadModels`. The store does not close the environment, which must
 * have been opened with `overlappingSync: false`, so that what is visible is durable.
 */
export function openLmdbReadStore(root: RootDatabase<unknown, string>): ReadStore {
  FormerFormat.removeEmpty(root);
  const databases = new Databases(root);
  databases.openAll();
  return new LmdbReadStore(databases);
}
