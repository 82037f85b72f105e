import { setTimeout } from "node:timers/promises";
import type { Generation, ReadStore } from "@travel-booking/engines/read-store";
import type { BackgroundWork } from "./background-work.ts";
import type { Projection } from "./projection.ts";

/** A newer version of this projection is live, so this one is not needed any more. */
export class NewerVersionLive extends Error {
  override readonly name = "NewerVersionLive";

  constructor(projection: string) {
    super(`a newer version of ${projection} is live: this release stands by`);
  }
}

interface OpenedGenerations {
  readonly live: Generation;
  /** Whether this version of the projection built the live generation. */
  readonly isCurrent: boolean;
  readonly obsolete: readonly Generation[];
}

/**
 * Finds the live generation of a projection, or creates the first one.
 * @param shared other releases use the read store, too: what a newer version is building is not obsolete.
 * @throws NewerVersionLive the read store is shared, and a newer version's generation is live.
 */
export async function openGenerations(
  readStore: ReadStore,
  { name: projection, version }: Projection,
  shared: boolean,
): Promise<OpenedGenerations> {
  const known = await readStore.generations(projection);
  const found = known.find((one) => one.live);
  const live = { projection, generation: found?.generation ?? 1 };
  if (found === undefined) {
    await readStore.create(live, version);
    await readStore.switchLive(live);
  }
  if (shared && found !== undefined && found.version > version) throw new NewerVersionLive(projection);
  const obsolete = known
    .filter((one) => one.generation !== live.generation && !(shared && one.version > version))
    .map(({ generation }) => ({ projection, generation }));
  return { live, isCurrent: found === undefined || found.version === version, obsolete };
}

export async function createNextGeneration(readStore: ReadStore, { name, version }: Projection): Promise<Generation> {
  const known = await readStore.generations(name);
  const generation = { projection: name, generation: Math.max(0, ...known.map((one) => one.generation)) + 1 };
  await readStore.create(generation, version);
  return generation;
}

/** Drops obsolete generations in the background. Those it can't drop are dropped at the next start. */
export class GenerationCleanup {
  readonly #readStore: Pick<ReadStore, "generations" | "drop">;
  readonly #background: BackgroundWork;
  readonly #graceMs: number;

  /** @param graceMs real time for readers of a replaced generation to finish. */
  constructor(readStore: Pick<ReadStore, "generations" | "drop">, background: BackgroundWork, graceMs: number) {
    this.#readStore = readStore;
    this.#background = background;
    this.#graceMs = graceMs;
  }

  /** Drops the generations before this one, after the grace period. */
  dropOlderAfterGrace({ projection, generation: live }: Generation): void {
    this.#inBackground(async () => {
      await setTimeout(this.#graceMs, undefined, { signal: this.#background.signal, ref: false });
      const known = await this.#readStore.generations(projection);
      await this.#drop(known.filter(({ generation }) => generation < live).map((old) => ({ projection, ...old })));
    });
  }

  /** Drops generations that nobody reads. */
  dropNow(generations: readonly Generation[]): void {
    this.#inBackground(() => this.#drop(generations));
  }

  #inBackground(work: () => Promise<void>): void {
    this.#background.track(
      work().catch((error: unknown) => {
        if (!this.#background.signal.aborted) this.#background.reportFailure(null, error);
      }),
    );
  }

  async #drop(generations: readonly Generation[]): Promise<void> {
    for (const { projection, generation } of generations) {
      await this.#readStore.drop({ projection, generation }, this.#background.signal);
    }
  }
}
