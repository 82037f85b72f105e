import type { RecordHead } from "./state-record.ts";

/** A record as its bytes, with what is asked of it most. */
export interface Known extends RecordHead {
  readonly bytes: Buffer;
}

/** A record as it will be once its write is flushed: null where it is being removed. */
export interface PendingWrite {
  readonly record: Known | null;
  readonly flushed: Promise<unknown>;
}

/** What has been decided but not flushed yet. */
export class PendingWrites {
  readonly #spaces = new Map<string, Map<string, PendingWrite>>();

  get(space: string, key: string): PendingWrite | undefined {
    return this.#spaces.get(space)?.get(key);
  }

  set(space: string, key: string, write: PendingWrite): void {
    const ofSpace = this.#spaces.get(space) ?? new Map<string, PendingWrite>();
    this.#spaces.set(space, ofSpace.set(key, write));
  }

  /** Forgets a write that was flushed, unless a later one has taken its place. */
  forget(space: string, key: string, write: PendingWrite): void {
    const ofSpace = this.#spaces.get(space);
    if (ofSpace?.get(key) === write) ofSpace.delete(key);
  }

  async allFlushed(): Promise<void> {
    for (const ofSpace of this.#spaces.values()) {
      await Promise.allSettled([...ofSpace.values()].map((write) => write.flushed));
    }
  }
}
