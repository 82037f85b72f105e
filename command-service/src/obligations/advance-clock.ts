import type { SandboxClock } from "@travel-booking/runtime";
import type { DueList } from "./due-list.ts";
import type { Scheduler } from "./scheduler.ts";

export interface AdvanceClockOptions {
  readonly clock: SandboxClock;
  readonly list: DueList;
  readonly scheduler: Scheduler;
  /** Resolves when the list shows all of the log. */
  readonly caughtUp: () => Promise<void>;
}

/**
 * Moves the clock from due time to due time, so that everything happens at its own moment and what follows from it
 * is seen before the next, and in the end to `target` (milliseconds since the epoch).
 */
export async function advanceClock(options: AdvanceClockOptions, target: number): Promise<void> {
  const { clock, list, scheduler, caughtUp } = options;
  for (;;) {
    await caughtUp();
    if ((await scheduler.meetDue()) > 0) continue;
    const next = await list.next(clock.now());
    if (next === undefined || next.obligation.dueAt > target) break;
    await clock.advanceTo(next.obligation.dueAt);
  }
  await clock.advanceTo(target);
}
