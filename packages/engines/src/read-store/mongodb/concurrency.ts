/** Waits for all, whatever becomes of each; then fails with the first failure, if there is one. */
export async function awaitAll<Result>(work: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Works through the items, so many at once. Where one fails, no other is begun. */
export async function forEachConcurrent<Item>(
  most: number,
  items: Iterator<Item, unknown, undefined> & Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    for (const item of items) await work(item);
  };
  await awaitAll(Array.from({ length: most }, worker));
}
