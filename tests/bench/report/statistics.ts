export interface Spread {
  readonly minimum: number;
  readonly median: number;
  readonly maximum: number;
}

/** @throws RangeError where there is no value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (index: number): number => {
    const value = sorted[index];
    if (value === undefined) throw new RangeError("no value to summarise");
    return value;
  };
  const middle = (sorted.length - 1) / 2;
  return {
    minimum: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    maximum: at(sorted.length - 1),
  };
}
