import type { Foreseeing } from "./ways/starter.ts";

/** Why not all of these engines can be had. Undefined: they can, as far as can be told before they are started. */
export function missingOf(starts: Readonly<Record<string, Partial<Foreseeing>>>): string | undefined {
  const reasons = Object.values(starts).flatMap((start) => start.missing?.() ?? []);
  return reasons.length === 0 ? undefined : [...new Set(reasons)].join("; ");
}
