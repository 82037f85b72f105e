/** Eight at a time. */
export async function mapAtOnce<Item, Value>(
  items: readonly Item[],
  map: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  for (let from = 0; from < items.length; from += 8) {
    values.push(...(await Promise.all(items.slice(from, from + 8).map(map))));
  }
  return values;
}
