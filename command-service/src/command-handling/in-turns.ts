import { setImmediate } from "node:timers/promises";

/** A few milliseconds where the words of events are opened, the dearest of what is done with many. */
const ITEMS_IN_ONE_TURN = 250;

/** Calls `visit` for each item, many items in several turns of the event loop: other requests get theirs in between. */
export async function visitInTurns<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0 && index % ITEMS_IN_ONE_TURN === 0) await setImmediate();
    visit(items[index] as Item);
  }
}
