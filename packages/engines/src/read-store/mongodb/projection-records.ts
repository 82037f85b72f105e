import type { Collection, Db, Filter, UpdateFilter } from "mongodb";
import { isDuplicateKey } from "../../mongodb/index.ts";
import { type Generation, GenerationInUse, UnknownGeneration } from "../index.ts";
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
    return (await this.findAll([projection])).get(projection);
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
      const record = await this.find(projection);
      if (findGeneration(record, generation) !== undefined) return;
      if (record === undefined) {
        await this.#insert({ _id: projection, live: null, last: 0, generations: {} });
        continue;
      }
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
      const still = { live: record.live, [at(generation.generation, "dropping")]: { $exists: false } };
      if (await this.#change(generation, known, still, { $set: { live: generation.generation } })) return;
    }
  }

  /**
   * Changes a generation. False if another process has written meanwhile, a batch has to be finished first, or the
   * generation is gone.
   * @param change `redo`: from now on any writer finishes the batch.
   */
  async advance(
    generation: Generation,
    known: GenerationRecord,
    change: Pick<GenerationRecord, "redo"> | Pick<GenerationRecord, "checkpoint" | "checkpointEvent">,
  ): Promise<boolean> {
    const number = generation.generation;
    const still = { [at(number, "checkpoint")]: known.checkpoint, [at(number, "redo")]: { $exists: false } };
    return this.#change(generation, known, still, { $set: fieldsOf(number, change) });
  }

  /** All of it is written. Another process may have recorded that already. */
  async finishRedo(generation: Generation, known: GenerationRecord, redo: RedoEntry): Promise<void> {
    const { checkpoint, checkpointEvent } = redo;
    const path = at(generation.generation, "redo");
    const written = fieldsOf(generation.generation, { checkpoint, checkpointEvent });
    const still = { [`${path}.token`]: redo.token };
    await this.#change(generation, known, still, { $set: written, $unset: { [path]: "" } });
  }

  /** From now on reads can't be switched to it. Undefined: unknown. @throws GenerationInUse */
  async markDropping(generation: Generation): Promise<GenerationRecord | undefined> {
    for (;;) {
      const record = await this.find(generation.projection);
      const known = findGeneration(record, generation.generation);
      if (record === undefined || known === undefined) return undefined;
      if (record.live === generation.generation) throw new GenerationInUse(generation);
      const dropping = { $set: fieldsOf(generation.generation, { dropping: true }) };
      if (await this.#change(generation, known, { live: record.live }, dropping)) return known;
    }
  }

  async delete(generation: Generation, known: GenerationRecord): Promise<void> {
    await this.#change(generation, known, {}, { $unset: { [at(generation.generation)]: "" } });
  }

  /** False: the generation is gone, or its record is not as expected any more. */
  async #change(
    { projection, generation }: Generation,
    { id }: GenerationRecord,
    still: Filter<ProjectionRecord>,
    update: UpdateFilter<ProjectionRecord>,
  ): Promise<boolean> {
    const filter = { _id: projection, [at(generation, "id")]: id, ...still };
    return (await this.#records.updateOne(filter, update)).matchedCount === 1;
  }

  /** Unless there is one. */
  async #insert(record: ProjectionRecord): Promise<void> {
    await this.#records.insertOne(record).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }
}

function at(generation: number, field?: keyof GenerationRecord): string {
  return field === undefined ? `generations.${generation}` : `generations.${generation}.${field}`;
}

function fieldsOf(generation: number, fields: Partial<GenerationRecord>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${at(generation)}.${name}`, value]));
}

/** Another process has switched reads to a newer one: they never go back. */
export class GenerationSuperseded extends Error {
  override readonly name = "GenerationSuperseded";

  constructor({ projection, generation }: Generation) {
    super(`generation ${generation} of projection ${projection} comes too late: reads go to one made after it`);
  }
}
