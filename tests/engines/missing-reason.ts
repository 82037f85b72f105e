import type { AvailabilityCheck } from "./providers/engine-starter.ts";

/** Why not all of these engines can be had. Undefined: they can, as far as can be told before they are started. */
export function missingReason(starts: Readonly<Record<string, Partial<AvailabilityCheck>>>): string | undefined {
  const reasons = Object.values(starts).flatMap((start) => start.missingReason?.() ?? []);
  return reasons.length === 0 ? undefined : [...new Set(reasons)].join("; ");
}
