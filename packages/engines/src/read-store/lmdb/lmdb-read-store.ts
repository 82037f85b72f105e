import type { RootDatabase } from "lmdb";
import type { DiskSpace } from "../../disk-space/index.ts";
import { causeOfWriteFailure } from "../../lmdb/index.ts";
import type { LogMark } from "../../log-mark.ts";
import { encodeCheckpointEvent, markAt } from "../checkpoint-event.ts";
import {
  type Batch,
  type Document,
  type Generation,
  type GenerationInfo,
  GenerationInUse,
  isStorable,
  MAX_FOLDED_CHARACTERS,
  type ReadStore,
  UnknownGeneration,
} from "../index.ts";
import { applyBatch } from "./batch-writer.ts";
import { Databases, type GenerationDatabases, type GenerationRecord, storedRecord } from "./databases.ts";
import { LmdbReadModels } from "./lmdb-read-models.ts";

export { LMDB_READ_STORE_DATABASES, LMDB_READ_STORE_PAGE } from "./databases.ts";
export { openLmdbReadModels } from "./lmdb-read-models.ts";

/** The read models of one environment. */
class LmdbReadStore extends LmdbReadModels implements ReadStore {
  readonly #disk: DiskSpace | undefined;

  constructor(databases: Databases, disk: DiskSpace | undefined) {
    super(databases);
    this.#disk = disk;
  }

  async documentsOf(generation: Generation, model: string, keys: readonly string[]): Promise<(Document | undefined)[]> {
    const documents = this.#databasesOf(generation).documents(model.slice(generation.projection.length + 1));
    const found: (Document | undefined)[] = [];
    let characters = 0;
    for (const key of keys) {
      if (characters >= MAX_FOLDED_CHARACTERS) break;
      const document = isStorable(key) ? storedRecord(documents, key)?.document(key) : undefined;
      found.push(document);
      characters += document?.size ?? 0;
    }
    return found;
  }

  async create(projection: string, version: number): Promise<Generation> {
    const { root, generations } = this.databases;
    const { generation, slot } = await root.childTransaction(() => {
      const known = [...this.#generationsOf(projection)];
      const generation = Math.max(0, ...known.map(({ key: [, number] }) => number)) + 1;
      const slot = lowestUnused(known.map(({ value }) => value.slot));
      generations.putSync([projection, generation], { slot, version, checkpoint: "0" });
      return { generation, slot };
    });
    this.databases.ofSlot(projection, slot);
    return { projection, generation };
  }

  /** Waits while the disk has no room. A rebuild stops earlier, and leaves the rest to the generations in use. */
  async write(batches: readonly Batch[]): Promise<void> {
    const disk = this.#disk;
    if (disk !== undefined) {
      const inUse = batches.every((batch) => this.databases.isLive(batch));
      await disk.wait(() => (inUse ? disk.takesLast : disk.takesCommands));
    }
    for (const batch of batches) this.#prepare(batch);
    const applied = this.databases.root.childTransaction(() => {
      for (const batch of batches) this.#apply(batch);
    });
    await applied.catch(async (error: unknown) => Promise.reject(await causeOfWriteFailure(error)));
  }

  async checkpoint(generation: Generation): Promise<LogMark> {
    const { checkpoint, checkpointEvent } = this.#known(generation);
    return markAt(BigInt(checkpoint), checkpointEvent);
  }

  async generations(projection: string): Promise<readonly GenerationInfo[]> {
    return [...this.#generationsOf(projection)].map(({ key: [, generation], value: { version } }) => {
      return { generation, version, live: this.databases.isLive({ projection, generation }) };
    });
  }

  async switchLive(generation: Generation): Promise<void> {
    await this.databases.root.childTransaction(() => {
      const { slot, version } = this.#known(generation);
      this.databases.live.putSync(generation.projection, { generation: generation.generation, slot, version });
    });
  }

  /** Takes one transaction, because LMDB frees the pages of a whole database at once. */
  async drop(generation: Generation): Promise<void> {
    const { root, generations } = this.databases;
    const { projection, generation: number } = generation;
    const known = this.#find(generation);
    const databases = known && this.databases.ofSlot(projection, known.slot);
    const documents = databases?.all() ?? [];
    await root.childTransaction(() => {
      if (this.databases.isLive(generation)) throw new GenerationInUse(generation);
      databases?.rows.clear();
      for (const each of documents) each.clearSync();
      generations.removeSync([projection, number]);
    });
  }

  /** Opens the databases of a batch, which can't be opened inside a transaction. */
  #prepare(batch: Batch): void {
    const databases = this.#databasesOf(batch);
    const modelStart = batch.projection.length + 1;
    for (const { model } of batch.writes) databases.documents(model.slice(modelStart), true);
  }

  #apply(batch: Batch): void {
    const known = this.#known(batch);
    const checkpoint = BigInt(known.checkpoint);
    applyBatch(batch, checkpoint, this.databases.ofSlot(batch.projection, known.slot));
    if (batch.checkpoint <= checkpoint) return;
    const checkpointEvent = encodeCheckpointEvent(batch);
    const record: GenerationRecord = { ...known, checkpoint: String(batch.checkpoint), checkpointEvent };
    this.databases.generations.putSync([batch.projection, batch.generation], record);
  }

  #generationsOf(projection: string) {
    return this.databases.generations.getRange({
      start: [projection, 0],
      end: [projection, Number.MAX_SAFE_INTEGER],
    });
  }

  #databasesOf(generation: Generation): GenerationDatabases {
    return this.databases.ofSlot(generation.projection, this.#known(generation).slot);
  }

  #find({ projection, generation }: Generation): GenerationRecord | undefined {
    return this.databases.generations.get([projection, generation]);
  }

  /** @throws UnknownGeneration */
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
 * For the one writing thread; other threads use `openLmdbReadModels`. The store does not close the environment. It must
 * have been opened with `overlappingSync: false`, so that visible data is durable.
 */
export function openLmdbReadStore(root: RootDatabase<unknown, string>, disk?: DiskSpace): ReadStore {
  Databases.removeOtherFormats(root);
  return new LmdbReadStore(new Databases(root), disk);
}
