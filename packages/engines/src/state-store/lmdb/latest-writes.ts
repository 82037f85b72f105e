import type { RecordHead } from "./state-record.ts";

/** A record as its bytes, with what is asked of it most. */
export interface Known extends RecordHead {
  readonly bytes: Buffer;
}

/** A record as it will be once its write is flushed: null where it is being removed. */
export interface LatestWrite {
  readonly record: Known | null;
  readonly flushed: Promise<unknown>;
  isFlushed: boolean;
}

/** So many flushed writes are remembered, of records not larger than so many bytes. */
const MOST_REMEMBERED = 4_096;
const LARGEST_REMEMBERED = 8_192;

interface Remembered {
  readonly space: string;
  readonly key: string;
  readonly write: LatestWrite;
}

/**
 * What has been decided but not flushed yet; and the last that was: a record is often written again soon, and to look it
 * up in what has just been flushed costs many times as much.
 */
export class LatestWrites {
  readonly #spaces = new Map<string, Map<string, LatestWrite>>();
  /** Flushed; the oldest at `#oldest`, from where on it is a ring. */
  readonly #remembered: Remembered[] = [];
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
  flushed(space: string, key: string, write: LatestWrite, isAskedForSoon: boolean): void {
    write.isFlushed = true;
    if (!isAskedForSoon || (write.record?.bytes.length ?? 0) > LARGEST_REMEMBERED) {
      this.#forget({ space, key, write });
      return;
    }
    const oldest = this.#remembered[this.#oldest];
    this.#remembered[this.#oldest] = { space, key, write };
    this.#oldest = (this.#oldest + 1) % MOST_REMEMBERED;
    if (oldest !== undefined) this.#forget(oldest);
  }

  #forget({ space, key, write }: Remembered): void {
    const ofSpace = this.#spaces.get(space);
    if (ofSpace?.get(key) === write) ofSpace.delete(key);
  }

  async allFlushed(): Promise<void> {
    for (const ofSpace of this.#spaces.values()) {
      await Promise.allSettled([...ofSpace.values()].map((write) => write.flushed));
    }
  }
}
