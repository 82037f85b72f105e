/** How many turns of the event loop others had until this ended. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await work();
  clearImmediate(counting);
  return turns;
}
