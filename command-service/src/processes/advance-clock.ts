import type { SandboxClock } from "@travel-booking/runtime";
import type { DueTaskList } from "./due-task-list.ts";
import type { Scheduler } from "./scheduler.ts";

/** Work besides obligations that falls due by the service's clock. */
export interface ClockDrivenWork {
  /** The soonest moment after `now` at which some of it falls due; undefined: none does. */
  nextDueAt(now: number): Promise<number | undefined>;
  /**
   * Resolves when everything of it that is due by now has been done.
   * @throws Error it can't be.
   */
  drained(): Promise<void>;
}

const NO_CLOCK_DRIVEN_WORK: ClockDrivenWork = {
  nextDueAt: async () => undefined,
  drained: async () => undefined,
};

/** Several kinds of work as one; settled in this order, because the first may make something of the next due. */
export function combineWork(...works: readonly ClockDrivenWork[]): ClockDrivenWork {
  return {
    async nextDueAt(now) {
      const due = (await Promise.all(works.map((work) => work.nextDueAt(now)))).filter((at) => at !== undefined);
      return due.length === 0 ? undefined : Math.min(...due);
    },
    async drained() {
      for (const work of works) await work.drained();
    },
  };
}

interface AdvanceClockOptions {
  readonly clock: SandboxClock;
  readonly list: DueTaskList;
  readonly scheduler: Scheduler;
  /** Resolves when the list shows all of the log. */
  readonly waitUntilCaughtUp: () => Promise<void>;
  /** What falls due besides; nothing unless told. It leads to no new obligations. */
  readonly otherWork?: ClockDrivenWork;
}

/** Something done may make something else due at the same moment, but not without an end. */
const MAX_ROUNDS_PER_INSTANT = 100;

/**
 * Moves the clock from due time to due time, so that everything happens at its own moment and what follows from it
 * is seen before the next, and in the end to `target` (milliseconds since the epoch).
 */
export async function advanceClock(options: AdvanceClockOptions, target: number): Promise<void> {
  const { clock, list, scheduler, waitUntilCaughtUp, otherWork = NO_CLOCK_DRIVEN_WORK } = options;
  for (;;) {
    // Time goes on while things are done: what falls due meanwhile is due next, however soon the next look is.
    const now = clock.now();
    for (let round = 0; round < MAX_ROUNDS_PER_INSTANT; round += 1) {
      await waitUntilCaughtUp();
      if ((await scheduler.runDue()) === 0) break;
    }
    await otherWork.drained();
    const due = [(await list.nextDueAfter(now))?.task.dueAt, await otherWork.nextDueAt(now)];
    const next = Math.min(...due.filter((at) => at !== undefined));
    if (next > target) break;
    await clock.advanceTo(next);
  }
  await clock.advanceTo(target);
  await waitUntilCaughtUp();
  await otherWork.drained();
}
