import type { MachineReadableZone } from "@travel-booking/domain";

/** The zone that so many of these readings agree on, to the last letter. */
export function consensus(zones: readonly MachineReadableZone[], needed: number): MachineReadableZone | undefined {
  const counts = new Map<string, number>();
  for (const zone of zones) {
    const key = JSON.stringify(zone);
    const count = (counts.get(key) ?? 0) + 1;
    if (count >= needed) return zone;
    counts.set(key, count);
  }
  return undefined;
}
