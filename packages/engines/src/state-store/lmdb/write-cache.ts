import { LRUCache } from "lru-cache";
import type { RecordHeader } from "./state-record.ts";

/** A record as its bytes, with its header decoded. */
export interface CachedRecord extends RecordHeader {
  readonly bytes: Buffer;
}

/** A record as it will be once its write is flushed: null where it is being removed. */
export interface LatestWrite {
  readonly record: CachedRecord | null;
  readonly flushed: Promise<unknown>;
  isFlushed: boolean;
}

/** Flushed writes that stay cached, and the size of the largest record among them. */
const MAX_CACHED_WRITES = 4_096;
const MAX_CACHED_BYTES = 8_192;

/**
 * The latest write of each record: all that are not flushed yet, and some that are. A record is often written again
 * soon, and reading it back from what has just been flushed costs many times as much.
 */
export class WriteCache {
  readonly #spaces = new Map<string, Map<string, LatestWrite>>();
  readonly #flushed = new LRUCache<LatestWrite, { readonly space: string; readonly key: string }>({
    max: MAX_CACHED_WRITES,
    dispose: ({ space, key }, write) => this.#forget(space, key, write),
  });

  get(space: string, key: string): LatestWrite | undefined {
    return this.#spaces.get(space)?.get(key);
  }

  set(space: string, key: string, write: LatestWrite): void {
    const writes = this.#spaces.get(space) ?? new Map<string, LatestWrite>();
    this.#spaces.set(space, writes.set(key, write));
  }

  /** A flushed write stays until many others are, or a later write of its record replaces it. */
  markFlushed(space: string, key: string, write: LatestWrite, keepCached: boolean): void {
    write.isFlushed = true;
    if (keepCached && (write.record?.bytes.length ?? 0) <= MAX_CACHED_BYTES) this.#flushed.set(write, { space, key });
    else this.#forget(space, key, write);
  }

  async allFlushed(): Promise<void> {
    for (const writes of this.#spaces.values()) {
      await Promise.allSettled([...writes.values()].map((write) => write.flushed));
    }
  }

  #forget(space: string, key: string, write: LatestWrite): void {
    const writes = this.#spaces.get(space);
    if (writes?.get(key) === write) writes.delete(key);
  }
}
