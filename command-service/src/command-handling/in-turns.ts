import { setImmediate } from "node:timers/promises";

/** A few milliseconds where the words of events are opened, the dearest of what is done with many. */
const ITEMS_IN_ONE_TURN = 250;

/** The items in parts, many in several turns of the event loop: other requests get theirs in between. */
export async function* inTurns<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let next = 0; next < items.length; next += ITEMS_IN_ONE_TURN) {
    if (next > 0) await setImmediate();
    yield items.slice(next, next + ITEMS_IN_ONE_TURN);
  }
}
