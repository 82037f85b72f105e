import { setTimeout } from "node:timers/promises";
import type { Generation, GenerationInfo, ReadStore } from "@travel-booking/engines/read-store";
import type { Projection } from "./projection.ts";

/** A newer version of this projection is live, so this version is no longer needed. */
export class NewerVersionLive extends Error {
  override readonly name = "NewerVersionLive";

  constructor(projection: string) {
    super(`a newer version of ${projection} is live: this release stands by`);
  }
}

/** Whether a newer version of the projection is live. */
export async function isNewerLive(
  readStore: Pick<ReadStore, "generations">,
  { name, version }: Projection,
): Promise<boolean> {
  return hasNewerLive(await readStore.generations(name), version);
}

function hasNewerLive(known: readonly GenerationInfo[], version: number): boolean {
  return known.some((one) => one.live && one.version > version);
}

/**
 * Finds the live generation of a projection, if this version of the projection built it. The first one is created, but beside
 * other processes only of an empty log: they would read one that is not caught up. `obsolete`: generations without readers.
 * @param shared other releases use the read store, too, so a generation that a newer version builds is not obsolete.
 * @throws NewerVersionLive the read store is shared, and a newer version's generation is live.
 */
export async function openGenerations(
  readStore: Omit<ReadStore, "write">,
  projection: Projection,
  { shared, head }: { readonly shared: boolean; readonly head: () => Promise<bigint> },
) {
  const { name, version } = projection;
  const known = await readStore.generations(name);
  if (shared && hasNewerLive(known, version)) throw new NewerVersionLive(name);
  const found = known.find((one) => one.live);
  const isFirst = found === undefined && (!shared || (await head()) === 0n);
  const first = isFirst ? await readStore.create(name, version) : undefined;
  if (first !== undefined) await readStore.switchLive(first);
  const current = found?.version === version ? { projection: name, generation: found.generation } : first;
  const obsolete = known.filter((one) => !one.live && !(shared && one.version > version));
  return { current, obsolete };
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
