import type { RecordHeader } from "./state-record.ts";

/** A record as its bytes, with what is asked of it most. */
export interface CachedRecord extends RecordHeader {
  readonly bytes: Buffer;
}

/** A record as it will be once its write is flushed: null where it is being removed. */
export interface LatestWrite {
  readonly record: CachedRecord | null;
  readonly flushed: Promise<unknown>;
  isFlushed: boolean;
}

/** So many flushed writes are remembered, of records not larger than so many bytes. */
const MAX_CACHED_WRITES = 4_096;
const MAX_CACHED_BYTES = 8_192;

interface FlushedWrite {
  readonly space: string;
  readonly key: string;
  readonly write: LatestWrite;
}

/**
 * What has been decided but not flushed yet; and the last that was: a record is often written again soon, and to look it
 * up in what has just been flushed costs many times as much.
 */
export class WriteCache {
  readonly #spaces = new Map<string, Map<string, LatestWrite>>();
  /** Flushed; the oldest at `#oldest`, from where on it is a ring. */
  readonly #flushedRing: FlushedWrite[] = [];
  #oldest = 0;

  get(space: string, key: string): LatestWrite | undefined {
    return this.#spaces.get(space)?.get(key);
  }

  set(space: string, key: string, write: LatestWrite): void {
    const ofSpace = this.#spaces.get(space) ?? new Map<string, LatestWrite>();
    this.#spaces.set(space, ofSpace.set(key, write));
  }

  /**
   * It was flushed: it is forgotten sooner or later, unless a later one has taken its place; at once where nobody will
   * ask for it soon.
   */
  markFlushed(space: string, key: string, write: LatestWrite, isAskedForSoon: boolean): void {
    write.isFlushed = true;
    if (!isAskedForSoon || (write.record?.bytes.length ?? 0) > MAX_CACHED_BYTES) {
      this.#evict({ space, key, write });
      return;
    }
    const oldest = this.#flushedRing[this.#oldest];
    this.#flushedRing[this.#oldest] = { space, key, write };
    this.#oldest = (this.#oldest + 1) % MAX_CACHED_WRITES;
    if (oldest !== undefined) this.#evict(oldest);
  }

  #evict({ space, key, write }: FlushedWrite): void {
    const ofSpace = this.#spaces.get(space);
    if (ofSpace?.get(key) === write) ofSpace.delete(key);
  }

  async allFlushed(): Promise<void> {
    for (const ofSpace of this.#spaces.values()) {
      await Promise.allSettled([...ofSpace.values()].map((write) => write.flushed));
    }
  }
}
