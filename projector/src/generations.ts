import { setTimeout } from "node:timers/promises";
import type { Generation, ReadStore } from "@travel-booking/engines/read-store";
import type { Projection } from "./projection.ts";

/** A newer version of this projection is live, so this version is no longer needed. */
export class NewerVersionLive extends Error {
  override readonly name = "NewerVersionLive";

  constructor(projection: string) {
    super(`a newer version of ${projection} is live: this release stands by`);
  }
}

/**
 * Finds the live generation of a projection, or creates the first one. `isCurrent`: this version of the projection
 * built it. `obsolete`: generations without readers.
 * @param shared other releases use the read store, too, so a generation that a newer version builds is not obsolete.
 * @throws NewerVersionLive the read store is shared, and a newer version's generation is live.
 */
export async function openGenerations(
  readStore: Omit<ReadStore, "write">,
  { name: projection, version }: Projection,
  shared: boolean,
) {
  const known = await readStore.generations(projection);
  const found = known.find((one) => one.live);
  if (found !== undefined && shared && found.version > version) throw new NewerVersionLive(projection);
  const live = found ? { projection, generation: found.generation } : await readStore.create(projection, version);
  if (found === undefined) await readStore.switchLive(live);
  const obsolete = known.filter((one) => one.generation !== live.generation && !(shared && one.version > version));
  return { live, isCurrent: found === undefined || found.version === version, obsolete };
}

/** Drops generations without readers. If that fails, the next start drops them. */
export async function dropGenerations(
  readStore: Pick<ReadStore, "drop">,
  projection: string,
  generations: readonly Pick<Generation, "generation">[],
  signal: AbortSignal,
): Promise<void> {
  for (const { generation } of generations) await readStore.drop({ projection, generation }, signal);
}

/**
 * Drops the generations before this one.
 * @param graceMs real time in which readers of the generations can finish.
 * @throws AbortError
 */
export async function dropOlderGenerations(
  readStore: Pick<ReadStore, "generations" | "drop">,
  { projection, generation: live }: Generation,
  graceMs: number,
  signal: AbortSignal,
): Promise<void> {
  await setTimeout(graceMs, undefined, { signal, ref: false });
  const older = (await readStore.generations(projection)).filter(({ generation }) => generation < live);
  await dropGenerations(readStore, projection, older, signal);
}
