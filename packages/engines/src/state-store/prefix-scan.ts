import { setImmediate } from "node:timers/promises";
import type { StateRecord, StateStore } from "./index.ts";

/** Records read at once. */
export const SCAN_PAGE = 500;

/** The records of a space whose keys begin with a prefix, in key order, read page by page. */
export async function* scanPrefix<Value>(
  store: Pick<StateStore, "list">,
  space: string,
  prefix: string,
): AsyncGenerator<StateRecord<Value>> {
  let after = prefix;
  for (;;) {
    const page = await store.list<Value>(space, { after, limit: SCAN_PAGE });
    for (const record of page) {
      if (!record.key.startsWith(prefix)) return;
      yield record;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < SCAN_PAGE) return;
    after = last.key;
    // A long scan must not block the event loop.
    await setImmediate();
  }
}
