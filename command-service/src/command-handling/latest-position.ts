/** The last of these log positions: a read model that has got there shows what each of them stands for. */
export function latestPosition(first: bigint, ...others: readonly (bigint | undefined)[]): bigint {
  let last = first;
  for (const position of others) if (position !== undefined && position > last) last = position;
  return last;
}
