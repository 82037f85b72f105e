import { LRUCache } from "lru-cache";
import type { WritePositions } from "./index.ts";

const MAX_CREDENTIALS = 100_000;

/**
 * Positions for one process. It keeps the credentials that wrote last. An evicted credential gets the highest position
 * ever evicted. So a read may wait longer than necessary, but never shows too little.
 */
export class InMemoryWritePositions implements WritePositions {
  readonly #positions: LRUCache<string, bigint>;
  #highestEvicted: bigint | undefined;

  constructor(maxCredentials: number = MAX_CREDENTIALS) {
    this.#positions = new LRUCache({
      max: maxCredentials,
      dispose: (position, _, reason) => this.#disposed(position, reason),
    });
  }

  record(credentialId: string, position: bigint): void {
    if (position > (this.#positions.peek(credentialId) ?? -1n)) this.#positions.set(credentialId, position);
  }

  positionOf(credentialId: string): bigint | undefined {
    return this.#positions.peek(credentialId) ?? this.#highestEvicted;
  }

  forgetAll(): void {
    this.#positions.clear();
    this.#highestEvicted = undefined;
  }

  #disposed(position: bigint, reason: LRUCache.DisposeReason): void {
    if (reason === "evict" && position > (this.#highestEvicted ?? -1n)) this.#highestEvicted = position;
  }
}
