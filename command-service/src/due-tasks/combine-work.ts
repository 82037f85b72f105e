import type { ClockDrivenWork } from "./clock-driven-work.ts";

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
