export interface Spread {
  readonly minimum: number;
  readonly median: number;
  readonly maximum: number;
}

/** @throws RangeError where there is no value. */
export function spreadOf(values: readonly number[]): Spread {
  return { minimum: quantile(values, 0), median: quantile(values, 0.5), maximum: quantile(values, 1) };
}

/** From the lower quartile to the upper one: half of the values are between them. */
export function middleHalf(values: readonly number[]): readonly [from: number, to: number] {
  return [quantile(values, 0.25), quantile(values, 0.75)];
}

/** What this share of the values is below; between two values in proportion. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) throw new RangeError("no value to summarise");
  return below + (above - below) * (place % 1);
}
