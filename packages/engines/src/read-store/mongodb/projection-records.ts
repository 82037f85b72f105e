import type { Collection, Db, Filter, UpdateFilter } from "mongodb";
import { isDuplicateKey } from "../../mongodb/index.ts";
import { encodeCheckpointEvent } from "../checkpoint-event.ts";
import { type Batch, type Generation, GenerationInUse, UnknownGeneration } from "../index.ts";
import { READ_TIMEOUT_MS } from "./collections.ts";

/** A batch that has begun, and has to be finished. */
export interface RedoEntry {
  /** Identifies its parts in the redo log. */
  readonly token: string;
  readonly parts: number;
  /** The checkpoint after it. */
  readonly checkpoint: bigint;
  readonly checkpointEvent: string | null;
}

export interface GenerationRecord {
  /** Counts all builds of a projection, so that no two share a collection, even with the same number. */
  readonly id: number;
  /** Version of the projection that built it. */
  readonly version: number;
  readonly checkpoint: bigint;
  /** See `encodeCheckpointEvent`. */
  readonly checkpointEvent?: string | null;
  /** Some documents of this batch may be written; all of them have to be before anything else. */
  readonly redo?: RedoEntry;
  /** Its documents are being dropped: reads can't be switched to it any more. */
  readonly dropping?: true;
}

/**
 * A projection without its documents, in one document, so that the live generation and its checkpoint are read
 * together.
 */
export interface ProjectionRecord {
  /** Its name. */
  readonly _id: string;
  /** Number of the live generation; null before the first. */
  readonly live: number | null;
  /** Id of the newest generation. */
  readonly last: number;
  /** By number. */
  readonly generations: Readonly<Record<string, GenerationRecord>>;
}

export function findGeneration(record: ProjectionRecord | undefined, generation: number): GenerationRecord | undefined {
  return record?.generations[generation];
}

export function liveGeneration(record: ProjectionRecord): GenerationRecord | undefined {
  return record.live === null ? undefined : findGeneration(record, record.live);
}

/** The `projections` collection. Each change is one operation on one document. */
export class ProjectionRecords {
  readonly #records: Collection<ProjectionRecord>;

  constructor(db: Db) {
    this.#records = db.collection("projections", { useBigInt64: true });
  }

  async all(): Promise<readonly ProjectionRecord[]> {
    return this.#records.find({}, { readConcern: "majority", maxTimeMS: READ_TIMEOUT_MS }).toArray();
  }

  async find(projection: string): Promise<ProjectionRecord | undefined> {
    return (await this.#records.findOne({ _id: projection }, { maxTimeMS: READ_TIMEOUT_MS })) ?? undefined;
  }

  /** By name. */
  async findAll(projections: readonly string[]): Promise<ReadonlyMap<string, ProjectionRecord>> {
    const found = await this.#records
      .find({ _id: { $in: [...projections] } }, { maxTimeMS: READ_TIMEOUT_MS })
      .toArray();
    return new Map(found.map((record) => [record._id, record]));
  }

  /** Leaves an existing one as it is. @param lastUsed the id of a new one is higher than this. */
  async create({ projection, generation }: Generation, version: number, lastUsed: number): Promise<void> {
    for (;;) {
      const record = (await this.find(projection)) ?? (await this.#firstOf(projection));
      if (findGeneration(record, generation) !== undefined) return;
      const id = Math.max(record.last, lastUsed) + 1;
      const created: GenerationRecord = { id, version, checkpoint: 0n };
      const { matchedCount } = await this.#records.updateOne(
        { _id: projection, last: record.last, [at(generation)]: { $exists: false } },
        { $set: { [at(generation)]: created, last: id } },
      );
      if (matchedCount === 1) return;
    }
  }

  /**
   * @throws UnknownGeneration
   * @throws GenerationSuperseded
   */
  async switchLive(generation: Generation): Promise<void> {
    for (;;) {
      const record = await this.find(generation.projection);
      const known = findGeneration(record, generation.generation);
      if (record === undefined || known === undefined || known.dropping) throw new UnknownGeneration(generation);
      if ((liveGeneration(record)?.id ?? 0) > known.id) throw new GenerationSuperseded(generation);
      const { matchedCount } = await this.#records.updateOne(
        {
          _id: generation.projection,
          live: record.live,
          [at(generation.generation, "id")]: known.id,
          [at(generation.generation, "dropping")]: { $exists: false },
        },
        { $set: { live: generation.generation } },
      );
      if (matchedCount === 1) return;
    }
  }

  /** From now on any writer finishes the batch. False if another process has written meanwhile. */
  async beginRedo({ projection, generation }: Generation, known: GenerationRecord, redo: RedoEntry): Promise<boolean> {
    return this.#change(
      {
        _id: projection,
        [at(generation, "id")]: known.id,
        [at(generation, "checkpoint")]: known.checkpoint,
        [at(generation, "redo")]: { $exists: false },
      },
      { $set: { [at(generation, "redo")]: redo } },
    );
  }

  /** All of it is written. Another process may have recorded that already. */
  async finishRedo({ projection, generation }: Generation, known: GenerationRecord, redo: RedoEntry): Promise<void> {
    await this.#change(
      { _id: projection, [at(generation, "id")]: known.id, [`${at(generation, "redo")}.token`]: redo.token },
      {
        $set: {
          [at(generation, "checkpoint")]: redo.checkpoint,
          [at(generation, "checkpointEvent")]: redo.checkpointEvent,
        },
        $unset: { [at(generation, "redo")]: "" },
      },
    );
  }

  /** False if another process has written meanwhile, a batch has to be finished first, or the generation is gone. */
  async advanceCheckpoint(batch: Batch, known: GenerationRecord): Promise<boolean> {
    const { projection, generation, checkpoint } = batch;
    return this.#change(
      {
        _id: projection,
        [at(generation, "id")]: known.id,
        [at(generation, "checkpoint")]: known.checkpoint,
        [at(generation, "redo")]: { $exists: false },
      },
      {
        $set: {
          [at(generation, "checkpoint")]: checkpoint,
          [at(generation, "checkpointEvent")]: encodeCheckpointEvent(batch),
        },
      },
    );
  }

  /** From now on reads can't be switched to it. Undefined: unknown. @throws GenerationInUse */
  async markDropping(generation: Generation): Promise<GenerationRecord | undefined> {
    for (;;) {
      const record = await this.find(generation.projection);
      const known = findGeneration(record, generation.generation);
      if (record === undefined || known === undefined) return undefined;
      if (record.live === generation.generation) throw new GenerationInUse(generation);
      const { matchedCount } = await this.#records.updateOne(
        { _id: generation.projection, live: record.live, [at(generation.generation, "id")]: known.id },
        { $set: { [at(generation.generation, "dropping")]: true } },
      );
      if (matchedCount === 1) return known;
    }
  }

  async delete({ projection, generation }: Generation, { id }: GenerationRecord): Promise<void> {
    await this.#change({ _id: projection, [at(generation, "id")]: id }, { $unset: { [at(generation)]: "" } });
  }

  /** False: the filter matches nothing. */
  async #change(filter: Filter<ProjectionRecord>, update: UpdateFilter<ProjectionRecord>): Promise<boolean> {
    return (await this.#records.updateOne(filter, update)).matchedCount === 1;
  }

  async #firstOf(projection: string): Promise<ProjectionRecord> {
    const record: ProjectionRecord = { _id: projection, live: null, last: 0, generations: {} };
    try {
      await this.#records.insertOne(record);
      return record;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return (await this.find(projection)) ?? record;
    }
  }
}

function at(generation: number, field?: keyof GenerationRecord): string {
  return field === undefined ? `generations.${generation}` : `generations.${generation}.${field}`;
}

/** Another process has switched reads to a newer one: they never go back. */
export class GenerationSuperseded extends Error {
  override readonly name = "GenerationSuperseded";

  constructor({ projection, generation }: Generation) {
    super(`generation ${generation} of projection ${projection} comes too late: reads go to one made after it`);
  }
}
