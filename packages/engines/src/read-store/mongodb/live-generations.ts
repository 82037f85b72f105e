import { translateMongoErrors } from "../../mongodb/index.ts";
import { ReadStoreUnavailable } from "../index.ts";
import { liveGeneration, type ProjectionRecord, type ProjectionRecords } from "./projection-records.ts";

/** Where the reads of a projection go. */
interface LiveGeneration {
  readonly id: number;
  readonly checkpoint: bigint;
}

/**
 * Real milliseconds after which it is asked again which generations are live. A replaced generation stays much longer
 * than that for those still reading it.
 */
const CACHE_TTL_MS = 1_000;

/**
 * Which generations are live, and how far they have got, as the server last said: asking at every read would cost each
 * a second message. Both come from one answer, so a reader that heard of a position reads from a generation that has it.
 */
export class LiveGenerations {
  readonly #records: Pick<ProjectionRecords, "all">;
  readonly #live = new Map<string, LiveGeneration>();
  readonly #listeners = new Set<() => void>();
  /** Counts the calls of `refresh`. */
  #refreshes = 0;
  #loaded = { at: Number.NEGATIVE_INFINITY, refreshes: -1 };
  #loading: { readonly refreshes: number; readonly done: Promise<void> } | undefined;
  #next: Promise<void> | undefined;

  constructor(records: Pick<ProjectionRecords, "all">) {
    this.#records = records;
  }

  /** As last heard. */
  cached(projection: string): LiveGeneration | undefined {
    return this.#live.get(projection);
  }

  /** As heard since the last `refresh`, and not too long ago. @throws ReadStoreUnavailable */
  async fresh(projection: string): Promise<LiveGeneration | undefined> {
    const isFresh = this.#loaded.refreshes === this.#refreshes && performance.now() - this.#loaded.at < CACHE_TTL_MS;
    if (!isFresh) await (this.#loading?.refreshes === this.#refreshes ? this.#loading.done : this.reload());
    return this.#live.get(projection);
  }

  /** What was heard before is not enough for `of` any more. */
  refresh(): void {
    this.#refreshes++;
  }

  /** Hears what is true now: asks after this call, never twice at once. @throws ReadStoreUnavailable */
  reload(): Promise<void> {
    if (this.#loading === undefined) return this.#begin();
    this.#next ??= this.#loading.done
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  /** Calls back each time something was heard; answers how to end that. */
  onLoaded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #begin(): Promise<void> {
    const started = { at: performance.now(), refreshes: this.#refreshes };
    const done = translateMongoErrors(ReadStoreUnavailable, () => this.#records.all()).then(
      (records) => {
        this.#loading = undefined;
        this.#loaded = started;
        this.#apply(records);
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    this.#loading = { refreshes: started.refreshes, done };
    return done;
  }

  #apply(records: readonly ProjectionRecord[]): void {
    const heard = new Map(records.map((record) => [record._id, record]));
    for (const projection of this.#live.keys()) if (!heard.has(projection)) this.#live.delete(projection);
    for (const record of records) this.#applyRecord(record);
    for (const listener of this.#listeners) listener();
  }

  /** A server that has not yet noticed that it was replaced says what was true before: that is not believed. */
  #applyRecord(record: ProjectionRecord): void {
    const known = this.#live.get(record._id);
    const live = liveGeneration(record);
    if (live === undefined) {
      this.#live.delete(record._id);
      return;
    }
    const knownIsThere = Object.values(record.generations).some(({ id }) => id === known?.id);
    if (known !== undefined && knownIsThere && known.id > live.id) return;
    this.#live.set(record._id, { id: live.id, checkpoint: live.checkpoint });
  }
}
