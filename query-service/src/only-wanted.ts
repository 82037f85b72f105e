import { setImmediate } from "node:timers/promises";
import { MAX_PAGE_CHARACTERS, type PageRequest } from "@travel-booking/engines/read-store";
import type { PageEntry } from "@travel-booking/http";

export interface ReadEntry extends PageEntry {
  /** Characters that were read for it; by default what it shows. */
  readonly size?: number;
}

type Range = Pick<PageRequest, "limit" | "after">;
export type ReadEntries<Entry extends PageEntry> = (range: Range) => Promise<readonly Entry[]>;

/** Looked through in a turn. */
const AT_ONCE = 21;

/**
 * Reads a list as if it had only what is wanted. Others are served while it is looked through, and an answer ends, perhaps without entries,
 * once as many characters were read for it as a page reads at most (docs/rules.md#pages). To be made anew for each answer.
 */
export function onlyWanted<Entry extends ReadEntry>(
  read: ReadEntries<Entry>,
  isWanted: (entry: Entry & { readonly json: string }) => boolean,
): ReadEntries<PageEntry> {
  let characters = 0;
  return async ({ limit, after }) => {
    const found: PageEntry[] = [];
    for (let last = after; ; ) {
      const entries = await read({ limit: AT_ONCE, ...(last !== undefined && { after: last }) });
      for (const entry of entries) {
        const { json, sort, more, size = json?.length ?? 0 } = entry;
        characters += size;
        const ends = more === true || characters >= MAX_PAGE_CHARACTERS;
        const shown = json !== null && isWanted({ ...entry, json }) ? json : null;
        if (shown !== null || ends) found.push({ json: shown, sort, ...(ends && { more: true }) });
        if (ends || found.length === limit) return found;
        last = sort;
      }
      if (entries.length < AT_ONCE) return found;
      await setImmediate();
    }
  };
}
