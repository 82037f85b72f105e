import { setImmediate } from "node:timers/promises";

/** Takes a few milliseconds if words of events are opened, which is the most expensive work on many items. */
const ITEMS_IN_ONE_TURN = 250;

/** Yields the items in parts, many in several turns of the event loop, so that other requests get turns in between. */
export async function* inTurns<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let next = 0; next < items.length; next += ITEMS_IN_ONE_TURN) {
    if (next > 0) await setImmediate();
    yield items.slice(next, next + ITEMS_IN_ONE_TURN);
  }
}
