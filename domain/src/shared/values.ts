/** Cabin classes, lowest first: an upgrade goes one step up this list, to the next cabin the flight has. */
export const CABINS = ["economy", "premium_economy", "business", "first"] as const;
export type Cabin = (typeof CABINS)[number];

/** Keys and values a client attached. Pairs, not an object: the keys are the client's, and must never shape a record. */
export type Metadata = readonly (readonly [key: string, value: string])[];

export type Mutable<Fields> = { -readonly [Field in keyof Fields]: Fields[Field] };

/** The same values in the same order. */
export function sameItems<Value>(some: readonly Value[], others: readonly Value[]): boolean {
  return some.length === others.length && some.every((value, index) => value === others[index]);
}
