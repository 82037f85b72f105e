import type { DueWork } from "./due-work.ts";

/** Several kinds of work as one; settled in this order, because the first may make something of the next due. */
export function together(...works: readonly DueWork[]): DueWork {
  return {
    async nextDue(now) {
      const due = (await Promise.all(works.map((work) => work.nextDue(now)))).filter((at) => at !== undefined);
      return due.length === 0 ? undefined : Math.min(...due);
    },
    async settled() {
      for (const work of works) await work.settled();
    },
  };
}
