import { setTimeout } from "node:timers/promises";
import type { Generation, ReadStore } from "@travel-booking/read-store";

/** Drops generations that were replaced, once those still reading them have had time to finish. */
export class Retirement {
  readonly #readStore: Pick<ReadStore, "generations" | "drop">;
  readonly #graceMs: number;
  readonly #failed: (error: unknown) => void;
  readonly #stop = new AbortController();
  readonly #pending = new Set<Promise<void>>();

  constructor(
    readStore: Pick<ReadStore, "generations" | "drop">,
    graceMs: number,
    failed: (error: unknown) => void,
  ) {
    this.#readStore = readStore;
    this.#graceMs = graceMs;
    this.#failed = failed;
  }

  /** In a while, the older generations of the projection; real time. What is not dropped now is at the next start. */
  retireAllBut({ projection, generation }: Generation, graceMs = this.#graceMs): void {
    const retired = setTimeout(graceMs, undefined, { signal: this.#stop.signal, ref: false })
      .then(
        () => this.dropAllBut(projection, generation),
        () => undefined,
      )
      .catch(this.#failed)
      .finally(() => this.#pending.delete(retired));
    this.#pending.add(retired);
  }

  /** Now, generations up to `kept`. */
  async dropAllBut(projection: string, kept: number | undefined): Promise<void> {
    for (const { generation, live } of await this.#readStore.generations(projection)) {
      if (!live && (kept === undefined || generation < kept)) await this.#readStore.drop({ projection, generation });
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#pending);
  }
}
