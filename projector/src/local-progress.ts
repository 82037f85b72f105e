import { PositionWaiters } from "@travel-booking/engines/read-store/position-waiters";

/** The positions of the live generations of all projections. */
export class LocalProgress {
  readonly #positions = new Map<string, bigint>();
  readonly #waiters = new PositionWaiters((projection) => this.positionOf(projection));
  /** Called after every advance. */
  onAdvance: () => void = () => undefined;

  /** Everything up to this position can be read; 0 for an unknown projection. */
  positionOf(projection: string): bigint {
    return this.#positions.get(projection) ?? 0n;
  }

  positions(): readonly (readonly [projection: string, position: bigint])[] {
    return [...this.#positions];
  }

  /** Lower positions are ignored. */
  advance(positions: readonly (readonly [projection: string, position: bigint])[]): void {
    const higher = positions.filter(([projection, position]) => position > (this.#positions.get(projection) ?? -1n));
    if (higher.length === 0) return;
    for (const [projection, position] of higher) this.#positions.set(projection, position);
    this.onAdvance();
    this.#waiters.notify();
  }

  /** Resolves true once `position` can be read, false after `timeoutMs` of real time. */
  waitUntil(projection: string, position: bigint, timeoutMs: number): Promise<boolean> {
    return this.#waiters.wait(projection, position, timeoutMs);
  }
}
