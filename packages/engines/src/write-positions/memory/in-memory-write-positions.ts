import type { WritePositions } from "../port.ts";

const MAX_CREDENTIALS = 100_000;

/**
 * For one process. Keeps the credentials that wrote last; for one that is forgotten, everybody's highest forgotten
 * position stands in, so a read may wait longer than it needs but never shows too little.
 */
export class InMemoryWritePositions implements WritePositions {
  readonly #positions = new Map<string, bigint>();
  readonly #maxCredentials: number;
  #highestEvicted: bigint | undefined;

  constructor(mostCredentials: number = MAX_CREDENTIALS) {
    this.#maxCredentials = mostCredentials;
  }

  record(credentialId: string, position: bigint): void {
    const known = this.#positions.get(credentialId);
    if (known !== undefined) {
      if (position > known) this.#positions.set(credentialId, position);
      return;
    }
    this.#positions.set(credentialId, position);
    if (this.#positions.size <= this.#maxCredentials) return;
    for (const [oldest, last] of this.#positions) {
      this.#positions.delete(oldest);
      if (this.#highestEvicted === undefined || last > this.#highestEvicted) this.#highestEvicted = last;
      return;
    }
  }

  positionOf(credentialId: string): bigint | undefined {
    return this.#positions.get(credentialId) ?? this.#highestEvicted;
  }
}
