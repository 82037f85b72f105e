import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import type { Clock } from "@travel-booking/runtime";
import { LRUCache } from "lru-cache";

const SPACE = "credential-uses";
/** Milliseconds of the service's clock. A credential in constant use is written once in this time. */
const EXACT_TO_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Notes the last use of each credential, to the minute. No request waits for it. A crash may lose notes, because no
 * rule depends on them.
 */
export function noteUses(state: Pick<StateStore, "put">, clock: Clock): (credentialId: string) => void {
  const written = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return (credentialId) => {
    const now = clock.now();
    if (now - (written.get(credentialId) ?? Number.NEGATIVE_INFINITY) < EXACT_TO_MS) return;
    written.set(credentialId, now);
    void state.put(SPACE, credentialId, now).catch(() => written.delete(credentialId));
  };
}

/** Last uses by credential id, in milliseconds since the epoch. Credentials that were never used are missing. */
export async function lastUses(state: Pick<StateStore, "list">): Promise<ReadonlyMap<string, number>> {
  const uses = new Map<string, number>();
  for await (const { key, value } of scanPrefix<number>(state, SPACE, "")) uses.set(key, value);
  return uses;
}
