import type { SandboxClock } from "@travel-booking/runtime";
import type { DueTaskList } from "./due-task-list.ts";
import type { Scheduler } from "./scheduler.ts";

/** Work besides due tasks that falls due by the service's clock. */
export interface ClockDrivenWork {
  /**
   * The soonest moment after `now` at which work is due; undefined: none is due.
   * @param movedSince the moment at which the clock began to move.
   */
  nextDueAt(now: number, movedSince: number): Promise<number | undefined>;
  /**
   * Resolves when everything that is due by now is done.
   * @throws Error the work can't be done.
   */
  drained(): Promise<void>;
}

/** Combines several kinds of work. They are drained in this order, because one may make work of the next due. */
export function combineWork(...works: readonly ClockDrivenWork[]): ClockDrivenWork {
  return {
    async nextDueAt(...moments) {
      const due = (await Promise.all(works.map((work) => work.nextDueAt(...moments)))).filter((at) => at !== undefined);
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
  readonly scheduler: Pick<Scheduler, "runDue">;
  /** Resolves when the list shows all of the log. */
  readonly waitUntilCaughtUp: () => Promise<void>;
  /** Must open no due tasks. Default: none. */
  readonly otherWork?: ClockDrivenWork;
}

/** A bound, because a task may make another one due at the same moment. */
const MAX_ROUNDS_PER_INSTANT = 100;

/**
 * Advances the clock by so many milliseconds, from due time to due time. So each task runs at its own moment, and its
 * follow-ups are seen before the next one. The time that this takes comes on top. When the signal aborts, the clock stays
 * where it is.
 */
export async function advanceClock(options: AdvanceClockOptions, by: number, signal: AbortSignal): Promise<void> {
  const { clock, list, scheduler, waitUntilCaughtUp, otherWork = combineWork() } = options;
  const movedSince = clock.now();
  const offset = clock.offset + by;
  for (;;) {
    // The clock runs on meanwhile. Work that falls due by then is due after this `now`, so the next round finds it.
    const now = clock.now();
    for (let round = 0; round < MAX_ROUNDS_PER_INSTANT; round += 1) {
      await waitUntilCaughtUp();
      if ((await scheduler.runDue(true)) === 0) break;
    }
    await otherWork.drained();
    if (signal.aborted) return;
    const due = [(await list.nextDueAfter(now))?.task.dueAt, await otherWork.nextDueAt(now, movedSince)];
    const next = Math.min(...due.filter((at) => at !== undefined));
    const left = offset - clock.offset;
    if (next > clock.now() + left) break;
    await clock.advanceTo(next);
  }
  await clock.advance(Math.max(0, offset - clock.offset));
  await waitUntilCaughtUp();
  await otherWork.drained();
}
