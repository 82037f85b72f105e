import { setTimeout } from "node:timers/promises";
import type { Generation, ReadStore } from "@travel-booking/engines/read-store";

/** Drops generations that were replaced, once those still reading them have had time to finish. */
export class GenerationCleanup {
  readonly #readStore: Pick<ReadStore, "generations" | "drop">;
  readonly #graceMs: number;
  readonly #failed: (error: unknown) => void;
  readonly #stop = new AbortController();
  readonly #pending = new Set<Promise<void>>();

  constructor(readStore: Pick<ReadStore, "generations" | "drop">, graceMs: number, failed: (error: unknown) => void) {
    this.#readStore = readStore;
    this.#graceMs = graceMs;
    this.#failed = failed;
  }

  /** After the grace, the generations before this one; what is not gone by then is dropped at the next start. */
  dropOlderAfterGrace({ projection, generation: kept }: Generation): void {
    this.#track(
      setTimeout(this.#graceMs, undefined, { signal: this.#stop.signal, ref: false }).then(async () => {
        const known = await this.#readStore.generations(projection);
        await this.#drop(known.filter(({ generation }) => generation < kept).map((old) => ({ projection, ...old })));
      }),
    );
  }

  /** Now, in the background: what nobody reads. */
  dropNow(generations: readonly Generation[]): void {
    this.#track(this.#drop(generations));
  }

  async #drop(generations: readonly Generation[]): Promise<void> {
    for (const { projection, generation } of generations) {
      await this.#readStore.drop({ projection, generation }, this.#stop.signal);
    }
  }

  #track(work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#failed(error);
      })
      .finally(() => this.#pending.delete(kept));
    this.#pending.add(kept);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#pending);
  }
}
