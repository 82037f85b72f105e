import { translateMongoErrors } from "../../mongodb/index.ts";
import { SharedRead } from "../../shared-read.ts";
import { ReadStoreUnavailable, type Versions } from "../index.ts";
import {
  type GenerationRecord,
  liveGeneration,
  type ProjectionRecord,
  type ProjectionRecords,
} from "./projection-records.ts";

/**
 * Real milliseconds after which the live generations are read again. A replaced generation is kept much longer for its
 * last readers.
 */
const CACHE_TTL_MS = 1_000;

/**
 * The live generations and their checkpoints, cached: reading them every time would cost each read a second message.
 * Both come from one answer, so a reader that saw a position reads from a generation that has it.
 */
export class LiveGenerations {
  readonly #records: Pick<ProjectionRecords, "all">;
  readonly #versions: Versions | undefined;
  #live: ReadonlyMap<string, GenerationRecord> = new Map();
  /** Counts the calls of `refresh`. */
  #refreshes = 0;
  #loaded = { at: Number.NEGATIVE_INFINITY, refreshes: -1 };
  readonly #load = new SharedRead(() => this.#readRecords());

  /** @param versions of projections: those that may be read. */
  constructor(records: Pick<ProjectionRecords, "all">, versions?: Versions) {
    this.#records = records;
    this.#versions = versions;
  }

  /** Of all projections, as of the last load. */
  all(): readonly (readonly [projection: string, live: GenerationRecord])[] {
    return [...this.#live];
  }

  /** As of the last load. */
  cached(projection: string): GenerationRecord | undefined {
    return this.#live.get(projection);
  }

  /**
   * Loaded since the last `refresh`, and less than the TTL ago.
   * @throws ReadStoreUnavailable also where it is of another version.
   */
  async fresh(projection: string): Promise<GenerationRecord | undefined> {
    const isFresh = this.#loaded.refreshes === this.#refreshes && performance.now() - this.#loaded.at < CACHE_TTL_MS;
    if (!isFresh) await this.reload();
    return this.#readable(projection);
  }

  /** As of a load that begins after this call. @throws ReadStoreUnavailable */
  async reloaded(projection: string): Promise<GenerationRecord | undefined> {
    await this.reload();
    return this.#readable(projection);
  }

  /** Expires the cache. */
  refresh(): void {
    this.#refreshes++;
  }

  /** Loads what is true after this call; concurrent callers share a load. @throws ReadStoreUnavailable */
  reload(): Promise<void> {
    return this.#load.read();
  }

  #readable(projection: string): GenerationRecord | undefined {
    const live = this.#live.get(projection);
    if (live !== undefined || this.#versions === undefined) return live;
    throw new ReadStoreUnavailable(`${projection} is being built`);
  }

  async #readRecords(): Promise<void> {
    const started = { at: performance.now(), refreshes: this.#refreshes };
    const records = await translateMongoErrors(ReadStoreUnavailable, () => this.#records.all());
    this.#loaded = started;
    this.#live = new Map(records.flatMap((record) => this.#liveOf(record).map((live) => [record._id, live])));
  }

  /** A primary that was replaced and has not noticed yet may answer with an older generation: ignore that. */
  #liveOf(record: ProjectionRecord): readonly GenerationRecord[] {
    const live = liveGeneration(record);
    if (live === undefined || (this.#versions !== undefined && live.version !== this.#versions[record._id])) return [];
    const known = this.#live.get(record._id);
    const knownExists = Object.values(record.generations).some(({ id }) => id === known?.id);
    return [known !== undefined && knownExists && known.id > live.id ? known : live];
  }
}
