/** Keys and values that a client attached. Pairs, not an object: a client's keys must never shape a record. */
export type Metadata = readonly (readonly [key: string, value: string])[];

/** docs/rules.md#metadata. */
export const MAX_METADATA_KEYS = 20;

/** Present keys keep their position, new ones come last, an empty value removes its key. */
export function mergeMetadata(present: Metadata, sent: Metadata): Metadata {
  const merged = new Map(present);
  for (const [key, value] of sent) {
    if (value === "") merged.delete(key);
    else merged.set(key, value);
  }
  return [...merged];
}

/** Whether two have the same pairs in the same order. */
export function sameMetadata(one: Metadata, other: Metadata): boolean {
  const differs = ([key, value]: Metadata[number], index: number) =>
    key !== other[index]?.[0] || value !== other[index]?.[1];
  return one.length === other.length && !one.some(differs);
}
