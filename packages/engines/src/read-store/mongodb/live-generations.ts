import { translateMongoErrors } from "../../mongodb/index.ts";
import { SharedRead } from "../../shared-read.ts";
import { ReadStoreUnavailable, type Versions } from "../index.ts";
import type { GenerationRecord, ProjectionRecord, ProjectionRecords } from "./projection-records.ts";

/**
 * Real milliseconds after which the live generations are read again. A replaced generation is kept much longer for its
 * last readers.
 */
const CACHE_TTL_MS = 1_000;

/**
 * The live generations and their checkpoints. They are cached, because reading them would cost each read a second
 * message. Both come from one answer, so a reader that saw a position reads from a generation that has it.
 */
export class LiveGenerations {
  readonly #records: Pick<ProjectionRecords, "all">;
  readonly #versions: Versions | undefined;
  #cached: ReadonlyMap<string, GenerationRecord> = new Map();
  /** By `performance.now()`. */
  #loadedAt = Number.NEGATIVE_INFINITY;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  readonly #load = new SharedRead(() => this.#readRecords());

  /** @param versions of projections. Only these versions may be read. */
  constructor(records: Pick<ProjectionRecords, "all">, versions?: Versions) {
    this.#records = records;
    this.#versions = versions;
  }

  /** The result of the last load, by projection. */
  get cached(): ReadonlyMap<string, GenerationRecord> {
    return this.#cached;
  }

  /**
   * The live generation, loaded since the last `refresh` and less than the TTL ago.
   * @throws ReadStoreUnavailable also if it has another version.
   */
  async fresh(projection: string): Promise<GenerationRecord | undefined> {
    const isFresh = this.#loadedAt > Math.max(this.#refreshedAt, performance.now() - CACHE_TTL_MS);
    return isFresh ? this.#readable(projection) : this.reloaded(projection);
  }

  /** The live generation, from a load that begins after this call. @throws ReadStoreUnavailable */
  async reloaded(projection: string): Promise<GenerationRecord | undefined> {
    await this.reload();
    return this.#readable(projection);
  }

  /** Expires the cache. */
  refresh(): void {
    this.#refreshedAt = performance.now();
  }

  /** Loads the state after this call. Concurrent callers share a load. @throws ReadStoreUnavailable */
  reload(): Promise<void> {
    return this.#load.read();
  }

  #readable(projection: string): GenerationRecord | undefined {
    const live = this.#cached.get(projection);
    if (live !== undefined || this.#versions === undefined) return live;
    throw new ReadStoreUnavailable(`${projection} is being built`);
  }

  async #readRecords(): Promise<void> {
    const begunAt = performance.now();
    const records = await translateMongoErrors(ReadStoreUnavailable, () => this.#records.all());
    this.#loadedAt = begunAt;
    const cached = new Map<string, GenerationRecord>();
    for (const record of records) {
      const live = this.#liveOf(record);
      if (live !== undefined) cached.set(record._id, live);
    }
    this.#cached = cached;
  }

  #liveOf({ _id: projection, live, generations }: ProjectionRecord): GenerationRecord | undefined {
    const found = live === null ? undefined : generations[live];
    if (live === null || found === undefined) return undefined;
    if (this.#versions !== undefined && found.version !== this.#versions[projection]) return undefined;
    // A former primary that has not noticed its replacement may report an older generation, which is ignored.
    const known = this.#cached.get(projection);
    const isBehind = Object.entries(generations).some(([number, { id }]) => id === known?.id && Number(number) > live);
    return isBehind ? known : found;
  }
}
