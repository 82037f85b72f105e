/** Cabin classes, lowest first. An upgrade goes up this list, to the next cabin that the flight has. */
export const CABINS = ["economy", "premium_economy", "business", "first"] as const;
export type Cabin = (typeof CABINS)[number];

export type Mutable<Fields> = { -readonly [Field in keyof Fields]: Fields[Field] };

/** Whether two lists have the same values in the same order. */
export function sameItems<Value>(some: readonly Value[], others: readonly Value[]): boolean {
  return some.length === others.length && some.every((value, index) => value === others[index]);
}
