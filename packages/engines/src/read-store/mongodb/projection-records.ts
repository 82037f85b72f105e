import { randomInt } from "node:crypto";
import type { Collection, Db, Filter, UpdateFilter } from "mongodb";
import { isDuplicateKey, READ_TIMEOUT_MS } from "../../mongodb/index.ts";
import { type Generation, GenerationInUse, UnknownGeneration } from "../index.ts";

/** A batch that has begun and must be finished. */
export interface RedoEntry {
  /** Identifies the parts of the batch in the redo log. */
  readonly token: string;
  readonly parts: number;
  /** The checkpoint after the batch. */
  readonly checkpoint: bigint;
  readonly checkpointEvent: string | null;
}

export interface GenerationRecord {
  /** Unique, so that no two builds share a collection, even with the same number. */
  readonly id: number;
  /** Version of the projection that built it. */
  readonly version: number;
  readonly checkpoint: bigint;
  /** See `encodeCheckpointEvent`. */
  readonly checkpointEvent?: string | null;
  /** A batch that may be partly written. Its documents must be written before anything else. */
  readonly redo?: RedoEntry;
  /** True while its documents are being dropped, so that it can't be used any more. */
  readonly dropping?: true;
}

/**
 * The record of a projection, without its documents. It is one document, so that the live generation and its checkpoint
 * are read together.
 */
export interface ProjectionRecord {
  /** Its name. */
  readonly _id: string;
  /** Releases that counted ids continue after this one. */
  readonly last?: number;
  /** The highest number that was given to a generation, which may be dropped. Absent in records of older releases. */
  readonly highest?: number;
  /** Number of the live generation; null before the first. */
  readonly live: number | null;
  /** By number. */
  readonly generations: Readonly<Record<string, GenerationRecord>>;
}

/** @throws UnknownGeneration */
export function requireGeneration(record: ProjectionRecord | undefined, generation: Generation): GenerationRecord {
  const known = record?.generations[generation.generation];
  if (known === undefined || known.dropping) throw new UnknownGeneration(generation);
  return known;
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

  /** @throws UnknownGeneration */
  async known(generation: Generation): Promise<GenerationRecord> {
    return requireGeneration(await this.find(generation.projection), generation);
  }

  /** Makes a generation with a number that was never given. */
  async create(projection: string, version: number): Promise<Generation> {
    const created: GenerationRecord = { id: newId(), version, checkpoint: 0n };
    for (;;) {
      const record = await this.find(projection);
      const generation = Math.max(record?.highest ?? 0, ...Object.keys(record?.generations ?? {}).map(Number)) + 1;
      const missing = { _id: projection, [at(generation)]: { $exists: false }, highest: record?.highest ?? NONE };
      const change = {
        $set: { [at(generation)]: created, highest: generation, last: created.id },
        $setOnInsert: { live: null },
      };
      const made = await this.#records.updateOne(missing, change, { upsert: true }).catch((error: unknown) => {
        // Another process has made the generation, or the projection's record, meanwhile.
        if (!isDuplicateKey(error)) throw error;
      });
      if (made !== undefined) return { projection, generation };
    }
  }

  /**
   * @throws UnknownGeneration
   * @throws GenerationSuperseded
   */
  async switchLive(generation: Generation): Promise<void> {
    const { projection, generation: number } = generation;
    const usable = { [at(number)]: { $exists: true }, [at(number, "dropping")]: { $exists: false } };
    for (;;) {
      const record = await this.find(projection);
      const { version } = requireGeneration(record, generation);
      const live = record?.live ?? null;
      const before = live === null ? undefined : record?.generations[live];
      if ((live ?? 0) > number || (before?.version ?? 0) > version) throw new GenerationSuperseded(generation);
      const still = { _id: projection, live, ...usable };
      if ((await this.#records.updateOne(still, { $set: { live: number } })).matchedCount === 1) return;
    }
  }

  /**
   * Changes a generation. False if another process has written meanwhile, a batch has to be finished first, or the
   * generation is gone.
   * @param change with `redo`, any writer finishes the batch from now on.
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

  /** Notes that the whole batch is written. Another process may have done so already. */
  async finishRedo(generation: Generation, known: GenerationRecord, redo: RedoEntry): Promise<void> {
    const { checkpoint, checkpointEvent } = redo;
    const path = at(generation.generation, "redo");
    const written = fieldsOf(generation.generation, { checkpoint, checkpointEvent });
    const still = { [`${path}.token`]: redo.token };
    await this.#change(generation, known, still, { $set: written, $unset: { [path]: "" } });
  }

  /** From now on the generation can't be used. Undefined if it is unknown. @throws GenerationInUse */
  async markDropping(generation: Generation): Promise<GenerationRecord | undefined> {
    const { projection, generation: number } = generation;
    const record = await this.#records.findOneAndUpdate(
      { _id: projection, live: { $ne: number }, [at(number)]: { $exists: true } },
      { $set: { [at(number, "dropping")]: true } },
    );
    if (record !== null) return record.generations[number];
    if ((await this.find(projection))?.live === number) throw new GenerationInUse(generation);
    return undefined;
  }

  async delete(generation: Generation, known: GenerationRecord): Promise<void> {
    await this.#change(generation, known, {}, { $unset: { [at(generation.generation)]: "" } });
  }

  /** False if the generation is gone, or its record has changed meanwhile. */
  async #change(
    { projection, generation }: Generation,
    { id }: GenerationRecord,
    still: Filter<ProjectionRecord>,
    update: UpdateFilter<ProjectionRecord>,
  ): Promise<boolean> {
    const filter = { _id: projection, [at(generation, "id")]: id, ...still };
    return (await this.#records.updateOne(filter, update)).matchedCount === 1;
  }
}

const NONE = { $exists: false };

/** Made of time and chance, because a restored record no longer shows which ids were used. */
function newId(): number {
  return Date.now() * 1_000 + randomInt(1_000);
}

function at(generation: number, field?: keyof GenerationRecord): string {
  return field === undefined ? `generations.${generation}` : `generations.${generation}.${field}`;
}

function fieldsOf(generation: number, fields: Partial<GenerationRecord>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${at(generation)}.${name}`, value]));
}

/** Another process has switched reads to a newer generation, or one of a newer version. Reads never go back. */
export class GenerationSuperseded extends Error {
  override readonly name = "GenerationSuperseded";

  constructor({ projection, generation }: Generation) {
    super(`generation ${generation} of projection ${projection} comes too late: reads go to a newer one`);
  }
}
