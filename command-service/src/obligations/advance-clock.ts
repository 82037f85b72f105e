import type { SandboxClock } from "@travel-booking/runtime";
import type { DueList } from "./due-list.ts";
import { type DueWork, NOTHING_ELSE } from "./due-work.ts";
import type { Scheduler } from "./scheduler.ts";

export interface AdvanceClockOptions {
  readonly clock: SandboxClock;
  readonly list: DueList;
  readonly scheduler: Scheduler;
  /** Resolves when the list shows all of the log. */
  readonly caughtUp: () => Promise<void>;
  /** What falls due besides; nothing unless told. It leads to no new obligations. */
  readonly alsoDue?: DueWork;
}

/** Something done may make something else due at the same moment, but not without an end. */
const MOST_ROUNDS_AT_A_MOMENT = 100;

/**
 * Moves the clock from due time to due time, so that everything happens at its own moment and what follows from it
 * is seen before the next, and in the end to `target` (milliseconds since the epoch).
 */
export async function advanceClock(options: AdvanceClockOptions, target: number): Promise<void> {
  const { clock, list, scheduler, caughtUp, alsoDue = NOTHING_ELSE } = options;
  for (;;) {
    // Time goes on while things are done: what falls due meanwhile is due next, however soon the next look is.
    const now = clock.now();
    for (let round = 0; round < MOST_ROUNDS_AT_A_MOMENT; round += 1) {
      await caughtUp();
      if ((await scheduler.meetDue()) === 0) break;
    }
    await alsoDue.settled();
    const due = [(await list.next(now))?.obligation.dueAt, await alsoDue.nextDue(now)];
    const next = Math.min(...due.filter((at) => at !== undefined));
    if (next > target) break;
    await clock.advanceTo(next);
  }
  await clock.advanceTo(target);
  await caughtUp();
  await alsoDue.settled();
}
