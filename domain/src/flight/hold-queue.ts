import type { Instant } from "../shared/decision.ts";
import type { SeatsHeld } from "./events.ts";

export type ActiveHold = Pick<SeatsHeld["data"], "holdId" | "cabin" | "seats" | "expiresAt">;

/**
 * Active holds by expiry. All holds last equally long and time never goes back in a stream, so the order they were
 * made in is the order they lapse in. Holds that ended early stay in it for a while; `active` tells them apart.
 */
export interface HoldQueue {
  readonly active: Map<string, ActiveHold>;
  waiting: ActiveHold[];
  head: number;
}

export function emptyQueue(): HoldQueue {
  return { active: new Map(), waiting: [], head: 0 };
}

export function copyQueue({ active, waiting, head }: HoldQueue): HoldQueue {
  return { active: new Map(active), waiting: waiting.slice(head), head: 0 };
}

export function enqueue(queue: HoldQueue, hold: ActiveHold): void {
  queue.active.set(hold.holdId, hold);
  queue.waiting.push(hold);
}

const SLACK = 64;

/** Takes a hold out, for whatever reason. Constant time on average: dead entries are swept once they are the majority. */
export function dequeue(queue: HoldQueue, holdId: string): ActiveHold | undefined {
  const hold = queue.active.get(holdId);
  queue.active.delete(holdId);
  const isActive = (waiting: ActiveHold | undefined) => waiting !== undefined && queue.active.has(waiting.holdId);
  while (queue.head < queue.waiting.length && !isActive(queue.waiting[queue.head])) queue.head += 1;
  if (queue.waiting.length > 2 * queue.active.size + SLACK) {
    queue.waiting = queue.waiting.slice(queue.head).filter(isActive);
    queue.head = 0;
  }
  return hold;
}

/**
 * Holds whose time is up at that moment and that have not been recorded as ended, the first of them where not all are
 * asked for. Costs as much as there are.
 */
export function expiredHolds(queue: HoldQueue, at: Instant, most = Number.POSITIVE_INFINITY): readonly ActiveHold[] {
  const holds: ActiveHold[] = [];
  for (let index = queue.head; index < queue.waiting.length && holds.length < most; index += 1) {
    const hold = queue.waiting[index];
    if (hold === undefined || hold.expiresAt > at) break;
    if (queue.active.has(hold.holdId)) holds.push(hold);
  }
  return holds;
}

/** When the next active hold lapses, recorded or not; null where none is active. */
export function nextExpiry(queue: HoldQueue): Instant | null {
  return queue.waiting[queue.head]?.expiresAt ?? null;
}
